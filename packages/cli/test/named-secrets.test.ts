import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

const { hide } = createMask([]);

/** Matches the marked secrets. The braces are removed before the mask sees the text. */
const secret = /\{\{(.*?)\}\}/gs;

describe("exactly the values with a secret's name are masked", () => {
  test.each([
    ["a header", "authorization: Bearer {{be-N4x7.Kd9_sW2}}\nnext: line"],
    ["a header without a scheme", "Authorization: {{be-N4x7.Kd9_sW2}} of somebody"],
    ["a header of several words", "authorization: Digest {{username=ann, nonce=N4x7Kd9}}"],
    ["a header that is missing", "authorization: missing"],
    ["a custom header", "'x-api-key': '{{ak-P0o9I8u7}}', next: 1"],
    ["a header whose name only looks secret", "x-auth-type: none"],
    ["a cookie that is set", "set-cookie: {{sid=H2j3K4l5}}; Path=/; Domain=shop.test; HttpOnly; Max-Age=60"],
    ["cookies that are sent", "cookie: a=1; theme={{dark}}; path=/"],
    ["an argument", 'headers.set("x-api-key", "{{ak-P0o9I8u7}}")'],
    ["an argument with a scheme", 'headers.set("authorization", "Bearer {{be-N4x7.Kd9}}")'],
    ["an argument that is no secret", 'headers.set("accept", "text/html")'],
    ["words behind a name", 'translate("token", "plain words")'],
    ["credentials in prose", "Bearer {{be-N4x7.Kd9_sW2}} was refused"],
    ["prose that looks like credentials", "bearer of bad news"],
    ["base64 credentials", "Basic {{YmE6WTYvdSszZko=}} was refused"],
    ["a user and password", "https://{{ann:pw-9}}@shop.test/path"],
    ["an at sign in a path", "https://shop.test/@ann/x"],
    ["a parameter", "GET /login?code={{7Tz3Rm9Kp2}}&page=2#top"],
    ["a field of a form", "/cb?user%5Bpassword%5D={{hunter22}}&user%5Bname%5D=ann"],
    ["an assignment", 'token = "{{abc123def}}"; pages = "12"'],
    ["JSON", '{"password": "{{hunter22}}", "user": "ann"}'],
    ["a list in JSON", '{"api_keys": ["{{abc123def}}", "{{x-9}}"], "keywords": ["shoes", "x-9y8z"]}'],
    ["an object in JSON", '{"token":{"value":"{{abc123def}}","n":1},"size":{"value":"x-9y8z"}}'],
    ["JSON in JSON", '{\\"token\\":\\"{{abc123def}}\\",\\"n\\":1}'],
    ["an object", "{ password: '{{hunter22}}', user: 'ann' }"],
    ["YAML", "password: {{hunter22!}}\nuser: ann"],
    ["prose with a colon", "the password: see below"],
    ["XML", "<password>{{hunter22}}</password><user>ann</user>"],
    ["XML with prefix and attributes", '<ns:token type="x">{{abc123def}}</ns:token>'],
    ["a field of a page", '<input name="csrf_token" value="{{abc123def}}"> <input name="q" value="shoes">'],
    ["a field whose value comes first", "<input value='{{abc123def}}' name='csrf_token'>"],
    ["a meta tag of a page", '<meta name="csrf-token" content="{{abc123def}}">'],
    [
      "a field of a multipart body",
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n{{hunter22}}\r\n--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nshoes\r\n--b--',
    ],
    ["the last field of a body that was cut", 'form-data; name="password"\r\n\r\n{{hunter22 and mo}}'],
    ["an address within an address", "/go?next=/login?token={{abc123def}}&page=2"],
    ["an encoded address within an address", "/go?next=%2Flogin%3Ftoken%3D{{abc123def}}%26page%3D2"],
    ["an address within JSON", '{"url":"/login?token={{abc123def}}&page=2"}'],
    ["HTML", "a=1&amp;token={{abc123def}}&amp;b=2"],
    ["JSON encoded twice", "%257B%2522token%2522%253A%2522{{abc123def}}%2522%257D"],
    ["counts and versions", "tokenVersion=3 session_number=77"],
    ["switches and hints", "password=true pass=12 pin=top"],
    ["numbers that open something", "pin={{1234}} passphrase={{x}}"],
  ])("in %s", (_where, marked) => {
    const text = marked.replace(secret, "$1");
    expect(hide(text)).toBe(marked.replace(secret, "***"));
  });
});

/** Programs as sites and tests write them. */
const programs = [
  'fetch("/api", { headers: { authorization: "Bearer " + token, "x-csrf-token": csrf } });',
  "headers: { Authorization: 'Bearer ' + token }",
  "headers: { authorization: `Bearer ${data.token}` }",
  'const token = localStorage.getItem("token");',
  'const password = document.querySelector("#password").value;',
  'await http.post("/login", { json: { user: row.user, password: env.PASSWORD } });',
  "auth: { bearer: data.token }, sessionId = crypto.randomUUID(); secret = hash[0];",
  'xhr.setRequestHeader("X-CSRF-Token", token); headers.set("authorization", "Bearer " + token)',
  'token: z.string(), apiKey = process.env["API_KEY"]',
  "input[type=password] { border: 1px solid }",
];
/**
 * Programs with a secret's name before a call, a pattern or a piece of text, which are certain only in
 * source.
 */
const literals = [
  'const token = extract(login, { json: "$.token" });',
  "> 3 |   const token = extract(login, {",
  'const token = await extract(login, "x"), session = await http.post("/login");',
  'const token = extract<string>(login, { cookie: "sessionId", header: "x-csrf-token" });',
  "const token: string = login.json<{ token: string }>().token;",
  'const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)[1];',
  'const token = extract(login, { regex: /"token":"([^"]+)"/ });',
  'const token = extract(login, { regex: "\\"token\\":\\"([^\\"]+)" });',
  'headers: { "x-api-key": key, cookie: `sid=${sid}`, authorization: "Bearer " + token }',
  'headers: { cookie: "sid=" + sid, "X-CSRF-Token": csrf }',
  "await http.get(`/items?token=${token}&x=1`);",
  'await http.get("/items?token=" + token);',
  "const sid = response.headers.get('set-cookie').split('sid=')[1].split(';')[0];",
  'check(login, { "token=abc is set": ({ token }) => token === expected });',
  'const url = `${base}/in?token=${ask({ of: "x" }) + `${token}`}#top`, half = 1 / 2, token = a / b;',
];

/** Programs that only scripts may contain: elsewhere, a word after the name of a secret counts as one. */
const onlyInScripts = [
  'const labels = { password: "Password", forgotPassword: "Forgot your password?" };',
  '"x-csrf-token": csrf }',
];

describe("program text", () => {
  test.each(programs)("is unchanged in any kind of text: %s", (line) => {
    for (const kind of ["source", "script"] as const) expect(hide(line, kind)).toBe(line);
    expect(hide(`<p>Sign in</p><script>${line}</script>`, "page")).toContain(line);
    expect(hide(`<style>${line}</style>`, "page")).toContain(line);
  });

  test.each(literals)("is unchanged as source: %s", (line) => {
    expect(hide(line, "source")).toBe(line);
  });

  test.each([
    ["a token by its shape", `const token = "{{eyJhbGciOi.eyJzdWIiOjEy.c2ln}}";`],
    ["in a template", "const token = `{{q-Zq7w9x4K}}`, next = `${base}/in?token={{q-Zq7w9x4K}}&to=${page}`;"],
    [
      "in single quotes",
      "http.get('/in?token={{q-Zq7w9x4K}}' + page, { headers: { 'x-api-key': '{{q-Zq7w9}}' } });",
    ],
    ["after a pattern with quotes", `const [id] = /["'/]+/.exec(text), token = "{{q-Zq7w9x4K}}";`],
    ["after an apostrophe in a comment", `// don't use token = "{{q-Zq7w9x4K}}"`],
    ["after a division", `const share = all / 2, token = "{{q-Zq7w9x4K}}", rest = 1 / 2;`],
    ["on the line after one that was cut", "say('it is…\nconst token = '{{q-Zq7w9x4K}}';"],
    ["a password of words", `json: { user: "ada", password: "{{correct horse battery}}" }`],
    ["a cookie with its value", `cookie: "{{sid=H2j3K4l5}}"`],
    [
      "credentials",
      'headers: { authorization: `Bearer {{be-N4x7.Kd9_sW2}}` }, "https://{{ann:pw-9}}@shop.test/"',
    ],
  ])("shows no secret literal: %s", (_what, marked) => {
    expect(hide(marked.replace(secret, "$1"), "source")).toBe(marked.replace(secret, "***"));
  });

  test.each(onlyInScripts)("is unchanged in scripts: %s", (line) => {
    expect(hide(line, "script")).toBe(line);
    expect(hide(`<script type="module">${line}`, "page")).toContain(line);
  });

  test("as source or in a page loses secrets that are quoted after their name, declared or shaped like a token", () => {
    const token = `ghp_${"Ab3Cd5Ef7".repeat(4)}`;
    const mask = createMask(["dk-Zq7w9x4K"]);
    const line = `const password = "hunter22!", pin: 482916, url = "/in?token=q-Zq7w9x4K"; use("dk-Zq7w9x4K", "${token}");`;
    const masked = 'const password = "***", pin: ***, url = "/in?token=***"; use("***", "***");';
    expect(mask.hide(line, "source")).toBe(masked);
    expect(mask.hide(`<script>${line}</script>`, "page")).toBe(`<script>${masked}</script>`);
    expect(mask.hide(line, "script")).toBe(
      'const password = "hunter22!", pin: 482916, url = "/in?token=q-Zq7w9x4K"; use("***", "***");',
    );
  });

  test("does not protect secrets around it in a page", () => {
    const page =
      '<meta name="csrf-token" content="abc123def"><script>let a = 1;</script><a href="/?token=q-Zq7w9">x</a>';
    expect(hide(page, "page")).toBe(
      '<meta name="csrf-token" content="***"><script>let a = 1;</script><a href="/?token=***">x</a>',
    );
  });
});
