import {
  base64,
  escaped,
  form,
  header,
  json,
  oneEntry,
  origin,
  percent,
  post,
  postJson,
  type Plant,
} from "./plant.ts";

/** Places whose name marks a value as secret, whatever it looks like. */
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
