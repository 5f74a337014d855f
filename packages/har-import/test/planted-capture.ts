import { documentOf, entryOf, harOf, pageOf } from "./har-file.ts";

/** Where a secret is planted, by its name or looks. */
export interface Plant {
  /** Shown when the test fails. */
  readonly place: string;
  /** A capture that has the secret there. */
  readonly plant: (secret: string) => unknown;
}

const origin = "https://shop.test";
const json = "application/json";
const form = "application/x-www-form-urlencoded";

function oneEntry(entry: Parameters<typeof entryOf>[1], url = `${origin}/api/items`): unknown {
  return harOf(
    [documentOf(`${origin}/`, { pageref: "p" }), entryOf(url, { pageref: "p", ...entry })],
    [pageOf("p", { title: "Shop" })],
  );
}

function post(mimeType: string, postData: Record<string, unknown>): unknown {
  const headers = [{ name: "Content-Type", value: mimeType }];
  return oneEntry({
    _resourceType: "xhr",
    request: { method: "POST", headers, postData: { mimeType, ...postData } },
  });
}

const postJson = (value: unknown): unknown => post(json, { text: JSON.stringify(value) });
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const escaped = (text: string): string =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

function header(name: string): Plant {
  return {
    place: `request header ${name}`,
    plant: (secret) => oneEntry({ request: { headers: [{ name, value: secret }] } }),
  };
}

/** Places that say of what stands there that it is secret, whatever it looks like. */
export const namedPlaces: readonly Plant[] = [
  ...["Authorization", "authorization", "Proxy-Authorization", "X-API-Key", "x-api-key", "X-Auth-User"].map(
    header,
  ),
  ...[
    "X-CSRF-Token",
    "x-xsrf-token",
    "X-Amz-Security-Token",
    "X-Goog-Iap",
    "My-Secret",
    "x-hub-signature",
  ].map(header),
  {
    place: "bearer",
    plant: (secret) =>
      oneEntry({ request: { headers: [{ name: "Authorization", value: `Bearer ${secret}` }] } }),
  },
  {
    place: "basic credentials",
    plant: (secret) =>
      oneEntry({
        request: { headers: [{ name: "authorization", value: `Basic ${base64(`joe:${secret}`)}` }] },
      }),
  },
  {
    place: "Cookie header, with an empty list",
    plant: (secret) =>
      oneEntry({ request: { headers: [{ name: "cookie", value: `a=1; sid=${secret}` }], cookies: [] } }),
  },
  {
    place: "cookies of a request",
    plant: (secret) => oneEntry({ request: { cookies: [{ name: "sid", value: secret }] } }),
  },
  {
    place: "Set-Cookie and what its cookie says",
    plant: (secret) =>
      oneEntry({
        response: {
          headers: [{ name: "Set-Cookie", value: `sid=${secret}; Path=/; HttpOnly` }],
          cookies: [{ name: "sid", value: secret }],
        },
      }),
  },
  ...["access_token", "apiKey", "SESSIONID", "code", "state", "user[password]", "X-Amz-Signature"].map(
    (name): Plant => ({
      place: `query ${name}`,
      plant: (secret) =>
        oneEntry({}, `${origin}/api/items?page=2&${encodeURIComponent(name)}=${encodeURIComponent(secret)}`),
    }),
  ),
  {
    place: "query, every byte percent-encoded",
    plant: (secret) => oneEntry({}, `${origin}/api/items?token=${percent(secret)}`),
  },
  {
    place: "query of an address in a query",
    plant: (secret) =>
      oneEntry(
        {},
        `${origin}/go?to=${encodeURIComponent(`${origin}/cb?token=${encodeURIComponent(secret)}&a=1`)}`,
      ),
  },
  {
    place: "queryString list",
    plant: (secret) => oneEntry({ request: { queryString: [{ name: "token", value: secret }] } }),
  },
  {
    place: "user info",
    plant: (secret) => oneEntry({}, `https://joe:${encodeURIComponent(secret)}@shop.test/a`),
  },
  {
    place: "fragment",
    plant: (secret) => oneEntry({}, `${origin}/a#access_token=${encodeURIComponent(secret)}`),
  },
  {
    place: "path behind reset",
    plant: (secret) => oneEntry({}, `${origin}/reset/${encodeURIComponent(secret)}`),
  },
  {
    place: "query of a request that is left out",
    plant: (secret) => oneEntry({}, `https://elsewhere.example/p?token=${encodeURIComponent(secret)}`),
  },
  {
    place: "form text",
    plant: (secret) => post(form, { text: `user=joe&password=${encodeURIComponent(secret)}` }),
  },
  {
    place: "form params",
    plant: (secret) =>
      post(form, {
        text: "",
        params: [
          { name: "user", value: "joe" },
          { name: "Password", value: secret },
        ],
      }),
  },
  {
    place: "form in base64",
    plant: (secret) => post(form, { text: base64(`pin=${encodeURIComponent(secret)}`), encoding: "base64" }),
  },
  {
    place: "multipart text",
    plant: (secret) =>
      post("multipart/form-data; boundary=x", {
        text: `--x\r\nContent-Disposition: form-data; name="passphrase"\r\n\r\n${secret}\r\n--x--\r\n`,
      }),
  },
  {
    place: "multipart params",
    plant: (secret) =>
      post("multipart/form-data; boundary=x", { text: "", params: [{ name: "secret", value: secret }] }),
  },
  {
    place: "JSON, deep",
    plant: (secret) => postJson({ a: [{ b: { c: [{ client_secret: secret }] } }] }),
  },
  { place: "JSON list", plant: (secret) => postJson({ tokens: ["a", secret] }) },
  {
    place: "JSON, escaped",
    plant: (secret) => post(json, { text: `{"note":"x","password":"${escaped(secret)}"}` }),
  },
  {
    place: "JSON key that is there twice",
    plant: (secret) => post(json, { text: `{"password":${JSON.stringify(secret)},"password":"short"}` }),
  },
  {
    place: "JSON in JSON",
    plant: (secret) => postJson({ payload: JSON.stringify({ inner: JSON.stringify({ otp: secret }) }) }),
  },
  {
    place: "JSON in base64 in JSON",
    plant: (secret) => postJson({ payload: base64(JSON.stringify({ csrfToken: secret })) }),
  },
  {
    place: "GraphQL variables",
    plant: (secret) =>
      postJson({
        query: "mutation Login($p: String!) { login(p: $p) { id } }",
        variables: { password: secret },
      }),
  },
  {
    place: "GraphQL literal",
    plant: (secret) =>
      postJson({ query: `mutation { login(user: "joe", password: ${JSON.stringify(secret)}) { id } }` }),
  },
  {
    place: "XML",
    plant: (secret) =>
      post("text/xml", {
        text: `<Login><User>joe</User><Password>${encodeURIComponent(secret)}</Password></Login>`,
      }),
  },
  {
    place: "lines of text",
    plant: (secret) => post("text/plain", { text: `user=joe\npassword=${encodeURIComponent(secret)}\n` }),
  },
];

/** Places of which nothing says what stands there: only what looks secret, or is known from elsewhere, is told apart. */
export const otherPlaces: readonly Plant[] = [
  { place: "path", plant: (secret) => oneEntry({}, `${origin}/api/${encodeURIComponent(secret)}/items`) },
  { place: "query", plant: (secret) => oneEntry({}, `${origin}/api/items?q=${encodeURIComponent(secret)}`) },
  {
    place: "query without a name",
    plant: (secret) => oneEntry({}, `${origin}/api/items?${percent(secret)}`),
  },
  {
    place: "name of a parameter",
    plant: (secret) => oneEntry({}, `${origin}/api/items?${encodeURIComponent(secret)}=1`),
  },
  header("X-Custom"),
  { place: "JSON", plant: (secret) => postJson({ note: { text: secret } }) },
  { place: "JSON, escaped", plant: (secret) => post(json, { text: `{"note":"${escaped(secret)}"}` }) },
  { place: "JSON key", plant: (secret) => postJson({ [secret]: 1 }) },
  { place: "base64 of JSON", plant: (secret) => postJson({ note: base64(JSON.stringify({ a: secret })) }) },
  { place: "text in a sentence", plant: (secret) => postJson({ note: `it is ${secret} , so` }) },
  { place: "form", plant: (secret) => post(form, { text: `note=${encodeURIComponent(secret)}` }) },
  {
    place: "name of a file",
    plant: (secret) =>
      post("multipart/form-data; boundary=x", {
        text: "",
        params: [{ name: "file", value: "text", fileName: `${secret}.txt`, contentType: "text/plain" }],
      }),
  },
  {
    place: "title of a page",
    plant: (secret) =>
      harOf([documentOf(`${origin}/`, { pageref: "p" })], [pageOf("p", { title: `Of ${secret} !` })]),
  },
  {
    place: "id of a page",
    plant: (secret) =>
      harOf([documentOf(`${origin}/`, { pageref: secret })], [pageOf(secret, { title: "Shop" })]),
  },
  { place: "a page's id that is nowhere", plant: (secret) => oneEntry({ pageref: secret }) },
  {
    place: "response body",
    plant: (secret) =>
      oneEntry({ response: { content: { mimeType: json, text: JSON.stringify({ a: secret }) } } }),
  },
  {
    place: "HTML",
    plant: (secret) =>
      oneEntry({ response: { content: { mimeType: "text/html", text: `<p title="${percent(secret)}">` } } }),
  },
  {
    place: "response body in base64",
    plant: (secret) =>
      oneEntry({
        response: { content: { mimeType: "text/plain", text: base64(`x ${secret} y`), encoding: "base64" } },
      }),
  },
  {
    place: "response header",
    plant: (secret) => oneEntry({ response: { headers: [{ name: "X-Request-Id", value: secret }] } }),
  },
  {
    place: "redirect",
    plant: (secret) =>
      oneEntry({ response: { status: 302, redirectURL: `/welcome?a=${encodeURIComponent(secret)}` } }),
  },
  {
    place: "WebSocket message",
    plant: (secret) =>
      oneEntry({
        _resourceType: "websocket",
        _webSocketMessages: [{ type: "send", time: 1, opcode: 1, data: secret }],
      }),
  },
  {
    place: "stack of an initiator",
    plant: (secret) =>
      oneEntry({
        _initiator: {
          type: "script",
          stack: {
            callFrames: [{ functionName: secret, url: `${origin}/app?v=${encodeURIComponent(secret)}` }],
          },
        },
      }),
  },
  ...["comment", "serverIPAddress", "connection", "_priority", "_resourceType", "_id", "time"].map(
    (field): Plant => ({ place: `entry's ${field}`, plant: (secret) => oneEntry({ [field]: secret }) }),
  ),
  ...["statusText", "httpVersion", "comment", "_error"].map((field): Plant => ({
    place: `response's ${field}`,
    plant: (secret) => oneEntry({ response: { [field]: secret } }),
  })),
  { place: "method", plant: (secret) => oneEntry({ request: { method: secret } }) },
  { place: "a date", plant: (secret) => oneEntry({ startedDateTime: secret }) },
  { place: "an address that is none", plant: (secret) => oneEntry({}, `//${secret} ${secret}`) },
  { place: "data: address", plant: (secret) => oneEntry({}, `data:text/plain,${secret}`) },
];

/** Captures in which a secret goes by its name, and stands elsewhere too, where nothing would give it away. */
export function besides(named: Plant, other: Plant): Plant {
  return {
    place: `${other.place}, known from ${named.place}`,
    plant: (secret) => merge(named.plant(secret), other.plant(secret)),
  };
}

interface Har {
  readonly log: { readonly entries: readonly unknown[]; readonly pages?: readonly unknown[] };
}

function merge(left: unknown, right: unknown): unknown {
  const [first, second] = [left, right] as [Har, Har];
  return harOf(
    [...second.log.entries, ...first.log.entries],
    [...(second.log.pages ?? []), ...(first.log.pages ?? [])],
  );
}
