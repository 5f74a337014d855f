import { expect, test } from "vitest";

import type { CapturedRequest } from "../../src/index.ts";
import { toRequest } from "../../src/request/draft-model.ts";
import { entryOf, harOf, read, shownValue } from "../har-file.ts";
import { visitOf } from "./visit-of.ts";

async function requestOf(url: string, request: Record<string, unknown> = {}): Promise<CapturedRequest> {
  const { entries } = await read(harOf([entryOf(url, { request })]));
  const [entry] = entries;
  return toRequest({ entry: entry!, atMs: null, url: new URL(entry!.request.url), hops: [] });
}

async function sentOf(
  postData: unknown,
  headers: unknown = [],
): Promise<[body: CapturedRequest["body"], type: string | null]> {
  const request = await requestOf("https://shop.test/", { method: "POST", postData, headers });
  const type = request.headers.find(({ name }) => name.toLowerCase() === "content-type");
  return [request.body, type === undefined ? null : shownValue(type)];
}

/** Returns a request's URL as it was recorded. */
function writtenUrl({ origin, path, query }: CapturedRequest): string {
  const search = query.map(({ written }) => written).join("&");
  return `${origin}/${path.map(({ written }) => written).join("/")}${search === "" ? "" : `?${search}`}`;
}

const text = (value: string) => ({
  kind: "text",
  text: { name: "", value: [{ kind: "text", text: value }], written: null },
});

test.each([
  ["https://SHOP.test:443/a/../b?q=1#top", "https://shop.test/b?q=1"],
  ["https://jane:secret@shop.test/", "https://shop.test/"],
  ["https://shop.test", "https://shop.test/"],
  ["http://shop.test:8080/ü?ü", "http://shop.test:8080/%C3%BC?%C3%BC"],
  ["https://shop.test/{id}?x={%22a%22:1}", "https://shop.test/%7Bid%7D?x={%22a%22:1}"],
  ["https://shop.test/?b=2&&a=1&b=3&c", "https://shop.test/?b=2&&a=1&b=3&c"],
])("%s is requested as %s", async (written, url) => {
  const queryString = [{ name: "not", value: "in the URL" }];
  expect(writtenUrl(await requestOf(written, { queryString }))).toBe(url);
});

test("a path segment is named after the one before it, a parameter by its own name; both are decoded", async () => {
  const { path, query } = await requestOf("https://shop.test/caf%C3%A9/7%2F8/100%?q=a+b%26c&r%5B%5D=1&v");
  expect(path.map((atom) => [atom.name, shownValue(atom)])).toEqual([
    ["", "café"],
    ["café", "7/8"],
    ["7/8", "100%"],
  ]);
  expect(query.map((atom) => [atom.name, shownValue(atom)])).toEqual([
    ["q", "a b&c"],
    ["r[]", "1"],
    ["", "v"],
  ]);
});

test("standard methods are sent in upper case, any other unchanged", async () => {
  expect((await requestOf("https://shop.test/", { method: "post" })).method).toBe("POST");
  expect((await requestOf("https://shop.test/", { method: "M-SEARCH" })).method).toBe("M-SEARCH");
});

test.each(["GET", "HEAD", "get"])(
  "a body recorded with a %s is dropped, and the request is kept",
  async (method) => {
    const request = await requestOf("https://shop.test/", {
      method,
      postData: { mimeType: "", text: "x", params: [] },
    });
    expect(request.body).toBeNull();
  },
);

test("text is preferred to params, base64 stays base64, and an empty body is no body", async () => {
  const params = [{ name: "a", value: "1" }];
  expect(await sentOf({ mimeType: "text/plain", text: "hi", params })).toEqual([text("hi"), "text/plain"]);
  const image = { mimeType: "image/png", encoding: "base64" };
  expect(await sentOf({ ...image, text: "aGk=" })).toEqual([{ kind: "bytes", base64: "aGk=" }, "image/png"]);
  expect(await sentOf({ ...image, text: "<no>" })).toEqual([text("<no>"), "image/png"]);
  expect(await sentOf({ mimeType: "text/plain", text: "", params: [] })).toEqual([null, null]);
  for (const nothing of [undefined, null, "a=1", 7, []]) expect(await sentOf(nothing)).toEqual([null, null]);
});

test.each([
  ["a compressed body", "\u001f\u008b\b\u0000a@b.example", undefined, "H4sIAGFAYi5leGFtcGxl"],
  ["a body as long as its text", "caf\u00e9", 4, "Y2Fm6Q=="],
])(
  "%s is read as bytes, because Chrome records other encodings than UTF-8 like this",
  async (_, written, bodySize, base64) => {
    const mimeType = "application/octet-stream";
    const postData = { mimeType, text: written };
    const { body } = await requestOf("https://shop.test/", { method: "POST", postData, bodySize });
    expect(body).toEqual({ kind: "bytes", base64 });
  },
);

test.each([
  ["caf\u00e9", 5],
  ["caf\u00e9", undefined],
  ["\u0000\u4e2d", undefined],
  ["tab\t and line\n", undefined],
])("%j with a body size of %j is read as text", async (written, bodySize) => {
  const postData = { mimeType: "application/octet-stream", text: written };
  const { body } = await requestOf("https://shop.test/", { method: "POST", postData, bodySize });
  expect(body).toEqual(text(written));
});

test("the content type comes from the header, otherwise from the body, otherwise from the kind of body", async () => {
  const header = [{ name: "Content-Type", value: "application/json; charset=utf-8" }];
  expect((await sentOf({ mimeType: "text/plain", text: "{}" }, header))[1]).toBe(
    "application/json; charset=utf-8",
  );
  expect((await sentOf({ text: "x" }))[1]).toBe("application/octet-stream");
  expect((await sentOf({ params: [{ name: "a", value: "1" }] }))[1]).toBe(
    "application/x-www-form-urlencoded",
  );
  expect(await sentOf({ mimeType: "bad\u{0}type", text: "x" })).toEqual([text("x"), null]);
});

test("form fields are encoded once, whether they were recorded decoded or as sent", async () => {
  const mimeType = "application/x-www-form-urlencoded";
  const encode = async (name: string, value: string) => {
    const [body] = await sentOf({ mimeType, params: [{ name, value }] });
    return body?.kind === "form" ? body.fields.map(({ written }) => written) : body;
  };
  expect(await encode("full name", "Zoë & Co=100%")).toEqual(["full+name=Zo%C3%AB+%26+Co%3D100%25"]);
  expect(await encode("field%5B1%5D", "value%5B1%5D")).toEqual(["field%5B1%5D=value%5B1%5D"]);
  expect(await encode("a+b", "lone \ud800")).toEqual(["a%2Bb=lone+%EF%BF%BD"]);
});

test("JSON is parsed, whatever its media type, and keeps its original text", async () => {
  const written = '{"a": [1, "x", null, true, {"b": {}}]}';
  for (const mimeType of ["application/json", "application/vnd.api+json", "text/plain;charset=UTF-8"]) {
    const [body] = await sentOf({ mimeType, text: written });
    expect(body).toMatchObject({ kind: "json", written });
    if (body?.kind !== "json" || body.root.kind !== "object") throw new Error("no object");
    const [[key, list] = []] = body.root.fields;
    expect(key).toBe("a");
    expect(list?.kind === "list" && list.items.map(({ kind }) => kind)).toEqual([
      "number",
      "string",
      "literal",
      "literal",
      "object",
    ]);
  }
  expect((await sentOf({ mimeType: "application/json", text: "{]" }))[0]).toEqual(text("{]"));
  expect((await sentOf({ mimeType: "text/plain", text: "7" }))[0]).toEqual(text("7"));
});

test("very deep JSON is sent unchanged, and __proto__ is an ordinary key", async () => {
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  expect((await sentOf({ mimeType: "application/json", text: deep }))[0]).toEqual(text(deep));
  const [body] = await sentOf({ mimeType: "application/json", text: '{"__proto__":{"a":1}}' });
  expect(body?.kind === "json" && body.root.kind === "object" && body.root.fields[0]?.[0]).toBe("__proto__");
});

test("a multipart form is split into parts, whether it was recorded as text or as params", async () => {
  const written = [
    "--x",
    'Content-Disposition: form-data; name="a%22b"',
    "",
    "1\r\n2",
    "--x",
    'Content-Disposition: form-data; name="file"; filename="a.csv"',
    "Content-Type: text/csv",
    "",
    "x,y",
    "--x--",
    "",
  ].join("\r\n");
  const params = [
    { name: 'a"b', value: "1\r\n2" },
    { name: "file", value: "x,y", fileName: "a.csv", contentType: "text/csv" },
  ];
  const mimeType = "multipart/form-data; boundary=x";
  const [fromText] = await sentOf({ mimeType, text: written });
  const [fromParams] = await sentOf({ mimeType, params });
  expect(fromText).toEqual(fromParams);
  expect(fromText?.kind === "multipart" && fromText.parts.map(({ atom }) => shownValue(atom))).toEqual([
    "1\r\n2",
    "x,y",
  ]);
});

test.each([
  [String.raw`name="a%22b"; filename="5%22 pipe.csv"`, 'a"b', '5" pipe.csv'],
  [String.raw`name="a\"b"; filename="5\" pipe.csv"`, 'a"b', '5" pipe.csv'],
  [String.raw`filename="a\"; b.csv"; name="up\"; load"`, 'up"; load', 'a"; b.csv'],
  [String.raw`name="a"b"; filename="the "new" list.csv"`, 'a"b', 'the "new" list.csv'],
  [String.raw`name="C:\"; filename="D:\x\"`, "C:\\", String.raw`D:\x` + "\\"],
])("a multipart name with quotes is read whole: %s", async (parameters, name, fileName) => {
  const written = `--x\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n1\r\n--x--\r\n`;
  const [body] = await sentOf({ mimeType: "multipart/form-data; boundary=x", text: written });
  expect(body).toMatchObject({ kind: "multipart", parts: [{ atom: { name }, fileName }] });
});

test.each([
  ["?action=delete&id=7", "?action=list&msg=deleted", "action=list&msg=deleted"],
  ["?id=7", "?id=7&done=1", "done=1"],
  ["?action=list", "?action=list&id=7", undefined],
  ["?action=list", "?name=7", undefined],
  ["?q=shoes", "?q=shoes&view=list", "view=list"],
])(
  "a redirect from /index.php%s to %s at the same path must have the parameters %s",
  async (from, to, query) => {
    const hop = await visitOf(`https://shop.test/index.php${to}`);
    const request = toRequest(await visitOf(`https://shop.test/index.php${from}`, {}, [hop]));
    expect([request.landsOn, request.landingQuery]).toEqual([
      query === undefined ? null : "/index.php",
      query,
    ]);
  },
);

test.each(["", "--x", "--x--", "--x\r\nno header\r\n--x--", "before --x\r\n\r\n\r\n--x--"])(
  "an invalid multipart form stays text: %j",
  async (written) => {
    const [body] = await sentOf({ mimeType: "multipart/form-data; boundary=x", text: written });
    expect(body).toEqual(written === "" ? null : text(written));
  },
);

test.each([
  ["/account", "/account"],
  ["/wiki/Main_Page", "/wiki/Main_Page"],
  ["/", "/"],
  ["/orders/4711", null],
  ["/reviews/r-8f3e2b91-60", null],
  ["/login", null],
])("a redirect from /login to %s must land on %s: only a stable path is checked", async (path, landsOn) => {
  const hop = await visitOf(`https://shop.test${path}`);
  expect(toRequest(await visitOf("https://shop.test/login", {}, [hop])).landsOn).toBe(landsOn);
});

test.each([
  ["/login", ["/account"], "/account"],
  ["/notes/new/", ["/notes/12/"], "/notes/:id/"],
  ["/notes/12/edit", ["/notes/12"], "/notes/:id"],
  ["/v1/notes", ["/v1/notes/8f3e2b91-60"], "/v1/notes/:id"],
  ["/posts", ["/posts/hello-world"], "/posts/:id"],
  ["/owners/new", ["/owners/11;jsessionid=A0B1"], "/owners/:id"],
  ["/en/login", ["/en/account"], "/account"],
  ["/login", ["/", "/en/account"], "/account"],
  ["/cart", ["/cart"], "/cart"],
  ["/cart", ["http://shop.test/cart", "https://shop.test/paid"], "/paid"],
  ["/cart", ["http://shop.test/cart"], null],
  ["/cart", ["/cart/"], null],
  ["/cart", ["/de/cart"], null],
  ["/cart", [], null],
])("a form sent to %s that redirects to %j leads to %s", async (from, to, landsOn) => {
  const hops = await Promise.all(to.map((url) => visitOf(new URL(url, "https://shop.test").href)));
  const mimeType = "application/x-www-form-urlencoded";
  const postData = { mimeType, text: "title=Hello,+World!&next=/account" };
  const form = await visitOf(`https://shop.test${from}`, { request: { method: "POST", postData } }, hops);
  expect(toRequest(form).landsOn).toBe(landsOn);
});

test.each([
  ["/account", "/account"],
  ["https://shop.test/account?a=1", "/account"],
  ["account", null],
  ["https://other.test/account", null],
])("a redirect to %s that the browser did not follow leads to %s", async (location, landsOn) => {
  const response = { status: 302, headers: [{ name: "Location", value: location }] };
  const form = await visitOf("https://shop.test/login", { request: { method: "POST" }, response });
  expect(toRequest(form).landsOn).toBe(landsOn);
});

test("a hint asks for a body that was not recorded, and a multipart content type without parts is dropped", async () => {
  const upload = await requestOf("https://shop.test/files", {
    method: "POST",
    bodySize: 0,
    headers: [
      { name: "Content-Length", value: "482" },
      { name: "Content-Type", value: "multipart/form-data; boundary=----WebKitFormBoundary1ij4" },
      { name: "X-Csrf", value: "a" },
    ],
  });
  expect(upload.hints).toEqual(["the request body, 482 bytes, was not recorded: add it by hand"]);
  expect(upload.headers.map(({ name }) => name)).toEqual(["X-Csrf"]);
  const put = await requestOf("https://shop.test/files/a.png", {
    method: "PUT",
    bodySize: 1,
    headers: [{ name: "Content-Type", value: "image/png" }],
    postData: { mimeType: "image/png", text: "", params: [] },
  });
  expect(put.hints).toEqual(["the request body, 1 byte, was not recorded: add it by hand"]);
  expect(put.headers.map(({ name }) => name)).toEqual(["Content-Type"]);
});

test("a request whose response was not recorded has no status to expect", async () => {
  const { entries } = await read(harOf([{ ...entryOf("https://shop.test/a"), response: undefined }]));
  const [entry] = entries;
  expect(entry?.response).toBeNull();
  const visit = { entry: entry!, atMs: null, url: new URL(entry!.request.url), hops: [] };
  expect(toRequest(visit)).toMatchObject({ method: "GET", recordedStatus: null });
});

test.each([
  { method: "POST", bodySize: 0 },
  { method: "POST", bodySize: 3, postData: { mimeType: "text/plain", text: "abc" } },
  { method: "POST", bodySize: 3, postData: { mimeType: "", params: [{ name: "a", value: "1" }] } },
  { method: "GET", bodySize: 3 },
  { method: "head", bodySize: 3 },
])("there is no hint if no body is missing: %j", async (request) => {
  expect((await requestOf("https://shop.test/", request)).hints).toEqual([]);
});

test.each(['{"id":9007199254740993,"a":"x"}', "[-12345678901234567890]", '{"x":[1e400]}'])(
  "JSON with a number that JavaScript cannot represent is sent unchanged: %s",
  async (written) => {
    expect((await sentOf({ mimeType: "application/json", text: written }))[0]).toEqual(text(written));
  },
);

test.each([
  '{"id":"9007199254740993"}',
  '{"a\\"9007199254740993":1}',
  "[9007199254740991,12345678901234567000,1.50,1e3,52.520006599999997,0.30000000000000004,-0]",
])("JSON whose numbers JavaScript can represent is parsed: %s", async (written) => {
  expect((await sentOf({ mimeType: "application/json", text: written }))[0]).toMatchObject({ kind: "json" });
});
