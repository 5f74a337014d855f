import { expect, test } from "vitest";
import type { CaptureModel } from "../../src/capture-model.ts";
import { importCapture } from "../../src/index.ts";
import { bytesOf, documentOf, entryOf, harOf, pageOf, requestsOf, shownValue } from "../har-file.ts";

const origin = "https://shop.test";

function post(path: string, value: unknown, headers: readonly (readonly [string, string])[] = []): unknown {
  return entryOf(`${origin}${path}`, {
    _resourceType: "xhr",
    request: {
      method: "POST",
      headers: [["Content-Type", "application/json"] as const, ...headers].map(([name, text]) => ({
        name,
        value: text,
      })),
      postData: { mimeType: "application/json", text: JSON.stringify(value) },
    },
  });
}

async function modelOf(...entries: readonly unknown[]): Promise<CaptureModel> {
  const har = harOf(
    [documentOf(`${origin}/`, { pageref: "p" }), ...entries],
    [pageOf("p", { title: "Shop" })],
  );
  return (await importCapture(() => bytesOf(har))).model;
}

/** Returns all named values of the requests after the document. */
function sentBy(model: CaptureModel): string[] {
  return requestsOf(model)
    .slice(1)
    .flatMap(({ query, headers, body }) => [
      ...query.map((atom) => `${atom.name}=${shownValue(atom)}`),
      ...headers.map((atom) => `${atom.name}: ${shownValue(atom)}`),
      ...(body?.kind === "json" && body.root.kind === "object"
        ? body.root.fields.map(
            ([key, shape]) =>
              `${key}=${shape.kind === "string" || shape.kind === "number" ? shownValue(shape.atom) : shape.kind}`,
          )
        : []),
    ])
    .filter((line) => !line.startsWith("content-type"));
}

test("the credentials of a login become variables, each with a description", async () => {
  const model = await modelOf(
    post("/login", { email: "joe@people.test", password: "Tr0ub4dor&3", remember: "yes" }),
  );
  expect(sentBy(model)).toEqual(["email={EMAIL}", "password={PASSWORD}", "remember=yes"]);
  expect(model.variables).toEqual([
    { name: "EMAIL", description: 'The JSON field "email" of POST /login.', isOptional: false },
    { name: "PASSWORD", description: 'The JSON field "password" of POST /login.', isOptional: false },
  ]);
});

test("an e-mail address without a login is replaced with an example address", async () => {
  const model = await modelOf(post("/news", { to: "joe@people.test", cc: "Jo <jo@people.test>" }));
  expect(sentBy(model)).toEqual(["to=user@example.com", "cc=Jo <user@example.com>"]);
});

test("text around a secret is kept, and equal secrets share a variable", async () => {
  const token = "kq8Jd72hLpQ0zXv5Tn3M";
  const model = await modelOf(
    entryOf(`${origin}/a?page=2&access_token=${token}`, {
      request: { headers: [{ name: "Authorization", value: `Bearer ${token}` }] },
    }),
    entryOf(`${origin}/b`, { request: { headers: [{ name: "X-Api-Key", value: "abc-1" }] } }),
  );
  expect(sentBy(model)).toEqual([
    "page=2",
    "access_token={ACCESS_TOKEN}",
    "Authorization: Bearer {ACCESS_TOKEN}",
    "X-Api-Key: {API_KEY}",
  ]);
});

test("a secret that only a later request reveals is also replaced in earlier requests", async () => {
  const model = await modelOf(
    entryOf(`${origin}/search?q=Tr0ub4dor%263&r=shop`),
    post("/login", { password: "Tr0ub4dor&3" }),
    post("/other", { password: "shop" }),
  );
  expect(sentBy(model)).toEqual(["q={PASSWORD}", "r={R}", "password={PASSWORD}", "password={PASSWORD_2}"]);
});

test("no variable has a name that a shell or another tool uses", async () => {
  const names = [
    "PATH_token",
    "github_token",
    "AWS_SECRET_ACCESS_KEY",
    "node_token",
    "pwd",
    "x".repeat(80) + "_token",
    "Straße-Token",
    "token",
  ];
  const model = await modelOf(
    post("/a", Object.fromEntries(names.map((name, index) => [name, `value-${index}-of-it`]))),
  );
  expect(model.variables.map(({ name }) => name)).toEqual([
    "PATH_TOKEN",
    "SITE_GITHUB_TOKEN",
    "SITE_AWS_SECRET_ACCESS_KEY",
    "SITE_NODE_TOKEN",
    "SITE_PWD",
    "X".repeat(35),
    "STRASSE_TOKEN",
    "TOKEN",
  ]);
});

test("a word under an ambiguous name is kept there and everywhere else", async () => {
  const model = await modelOf(
    entryOf(`${origin}/api/tickets?state=in_progress&key=add-to-cart`),
    entryOf("https://partner.example/v1?key=product_id&state=checkout-done"),
    post("/cart/add-to-cart", { in_progress: 2, product_id: 7, "checkout-done": 1 }),
  );
  expect(model.variables).toEqual([]);
  expect(sentBy(model)).toEqual([
    "state=in_progress",
    "key=add-to-cart",
    "in_progress=2",
    "product_id=7",
    "checkout-done=1",
  ]);
});

test("a secret under an ambiguous name is replaced there, and elsewhere only if it looks random", async () => {
  const model = await modelOf(
    entryOf(`${origin}/a?state=xyz-17&code=QwErTyAbc1`),
    post("/b", { "xyz-17": "xyz-17", note: "of QwErTyAbc1" }),
  );
  expect(sentBy(model)).toEqual(["state={STATE}", "code={CODE}", "xyz-17=xyz-17", "note=of {CODE}"]);
});

test("a word that equals the password by chance is not replaced with the password's variable in a query", async () => {
  const model = await modelOf(
    post("/register", { password: "honey", confirm: "honey" }),
    entryOf(`${origin}/search?q=honey`),
    entryOf(`${origin}/search?q=honey`),
    post("/b", { taste: "honey", newPassword: "honey" }),
  );
  expect(sentBy(model)).toEqual([
    "password={PASSWORD}",
    "confirm={PASSWORD}",
    "q={Q}",
    "q={Q}",
    "taste={PASSWORD}",
    "newPassword={PASSWORD}",
  ]);
});

test("a card number is a secret, whatever its name", async () => {
  const model = await modelOf(
    post("/pay", { card: { number: 1 }, number: "4111 1111 1111 1111", digits: 5500005555555559 }),
  );
  expect(sentBy(model)).toEqual(["card=object", "number={NUMBER}", "digits={DIGITS}"]);
});

test("a random cookie value is replaced everywhere, and the cookie's name is kept", async () => {
  const cookies = [
    { name: "prefs", value: "Ky1037Vqzj" },
    { name: "ab", value: "variant-b2" },
    { name: "Kb2444Sqzj", value: "1" },
  ];
  const model = await modelOf(
    entryOf(`${origin}/a`, { request: { cookies } }),
    entryOf(`${origin}/b?y=Ky1037Vqzj&z=variant-b2`),
  );
  expect(sentBy(model)).toEqual(["y={COOKIE_PREFS}", "z=variant-b2"]);
  expect(model.cookies.map(({ name }) => name)).toEqual(["prefs", "ab", "Kb2444Sqzj"]);
});

test("e-mail addresses with letters of any language are replaced completely", async () => {
  const model = await modelOf(
    entryOf(`${origin}/mail?to=J%C3%BCrgen%40firma.example&cc=ren%C3%A9e@m%C3%BCller.example`),
    post("/b", { to: "Jürgen@firma.example", text: "for Åse@bjørk.example, please" }),
  );
  expect(sentBy(model)).toEqual([
    "to=user@example.com",
    "cc=user@example.com",
    "to=user@example.com",
    "text=for user@example.com, please",
  ]);
});

test("cookies that the browser had from the start become variables, and those of analytics are omitted", async () => {
  const cookies = ["sid=abc-123", "theme=dark", "_ga=GA1.2.3", "OptanonConsent=x", "_fbp=fb.1"].map(
    (pair) => {
      const [name = "", value = ""] = pair.split("=");
      return { name, value };
    },
  );
  const model = await modelOf(entryOf(`${origin}/a`, { request: { cookies } }));
  expect(model.cookies.map((cookie) => `${cookie.name}=${shownValue(cookie)}`)).toEqual([
    "sid={COOKIE_SID}",
    "theme={COOKIE_THEME}",
  ]);
  expect(model.notes.join()).toContain("Skipped 3 analytics, advertising or consent cookies");
});

test("only the secret is replaced in JSON within JSON, and base64 JSON is replaced only if it has a secret", async () => {
  const model = await modelOf(
    post("/a", {
      payload: JSON.stringify({ page: 2, otp: "9f-22x" }),
      data: btoa(JSON.stringify({ secret: "9f-23x" })),
      plain: btoa("far,away,happily,together"),
    }),
  );
  expect(sentBy(model)).toEqual([
    'payload={"page":2,"otp":"{OTP}"}',
    "data={SECRET}",
    `plain=${btoa("far,away,happily,together")}`,
  ]);
});

test("a secret in a JSON list is described without a name", async () => {
  const model = await modelOf(post("/a", ["kq8Jd72hLpQ0zXv5Tn3MbW9sRcEy4GfU"]));
  expect(model.variables.map(({ description }) => description)).toEqual(["A JSON value of POST /a."]);
});

test("ids, versions and words are not secrets", async () => {
  const model = await modelOf(
    entryOf(`${origin}/orders/530e5ff1-7b5e-4441-b4c2-31f9c84f5aba?state=open&code=US&v=1.2.3-beta.4`),
    entryOf(`${origin}/app.kq8Jd72hLpQ0zXv5Tn3M.js?v=9f86d081884c7d659a2feaa0c55ad015`, {
      _resourceType: "script",
    }),
    post("/graphql", {
      extensions: {
        persistedQuery: { sha256Hash: "9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015" },
      },
    }),
  );
  expect(model.variables).toEqual([]);
});

test.each([
  "/session/2024-spring/list",
  "/share/item-42/view",
  "/code/python3x",
  "/state/new-york-10001/cities",
  "/card/black-lotus-1993",
  "/auth/oauth2-google/start",
  "/password/reset-2/form",
  "/_next/data/Xk29fKd83jKq_2jd8sLqP/index.json",
  "/static/build/9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c/app.html",
  "/img/resize?url=https%3A%2F%2Fcdn.shop.test%2F9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c.jpg&w=200",
  "/orders?order_id=4111111111111111",
])("%s contains no secret", async (path) => {
  expect((await modelOf(entryOf(origin + path))).variables).toEqual([]);
});

test.each([
  ["Authorization", "Bearer abc-1", "Authorization: Bearer {API_TOKEN}"],
  ["Authorization", "ApiKey abc-1", "Authorization: ApiKey {AUTHORIZATION}"],
  ["Authorization", "Zauberwort7 und mehr", "Authorization: {AUTHORIZATION}"],
  ["X-Api-Key", "opensesame please-99", "X-Api-Key: {API_KEY}"],
])("of the header %s: %s only the scheme is kept, if it has one", async (name, value, sent) => {
  const model = await modelOf(entryOf(`${origin}/a`, { request: { headers: [{ name, value }] } }));
  expect(sentBy(model)).toEqual([sent]);
});

test("secret names are masked and stay unique", async () => {
  const model = await modelOf(post("/a", { "joe@people.test": 1, "jo@people.test": 2 }));
  expect(sentBy(model)).toEqual(["user@example.com=1", "user@example.com-2=2"]);
});

test("thousands of secret names are made unique in less than 5 s of CPU time", async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => [`jo${index}@people.test`, index] as const);
  const entry = post("/a", Object.fromEntries(names));
  const usage = process.cpuUsage();
  expect(sentBy(await modelOf(entry)).at(-1)).toBe("user@example.com-3000=2999");
  expect(process.cpuUsage(usage).user).toBeLessThan(5_000_000);
});

test("the texts to search for are the secrets found, without common words", async () => {
  const har = harOf([
    documentOf(`${origin}/`),
    post("/login", { user: "joe", password: "sunshine" }),
    post("/login", { user: "joe", password: "Tr0ub4dor&3" }),
    post("/login", { user: "joe", password: "shop.test" }),
  ]);
  const { redacted } = await importCapture(() => bytesOf(har));
  expect(redacted).toEqual(["Tr0ub4dor&3"]);
});
