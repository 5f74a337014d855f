import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { Http, RequestOptions } from "@bearhug/sdk";
import { request } from "undici";
import { describe, expect, test } from "vitest";

import { startServer } from "../../cli/test/end-to-end/test-server.ts";
import { startClient } from "./start-client.ts";

const login: { readonly token?: string; readonly age: number } = { age: Number.NaN };
const secret = "s3cr3t-of-mine";

/** Starts a server, and a client whose test has this source code. */
async function open(code = "", http: Partial<typeof defaultHttp> = {}) {
  const server = await startServer();
  const client = startClient(server.url, [], [], { ...defaultHttp, ...http }, null, code);
  return { server, http: client.http };
}

async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toMatchObject({ name: "RequestFault", code: "INVALID_REQUEST" });
    return (error as Error).message;
  }
  return "it was sent";
}

const byWay: Readonly<Record<string, (http: Http, headers: Record<string, string>) => unknown>> = {
  "http.get": async (http, headers) => http.get("/me", { headers }),
  "http.get, with a list": async (http, headers) => {
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
    return http.get("/me", { headers: Object.fromEntries(lists) });
  },
  "http.post": async (http, headers) => http.post("/me", { headers, json: { a: 1 } }),
  "http.batch": async (http, headers) => http.batch([{ url: "/me", headers }]),
  "http.fetch": async (http, headers) => http.fetch("/me", { headers }),
  "http.fetch with Headers": async (http, headers) => http.fetch("/me", { headers: new Headers(headers) }),
};

describe.each(Object.entries(byWay))("a value that is missing in a header of %s", (_way, send) => {
  test.each([
    ["authorization", `Bearer ${login.token}`, '"undefined", so a value is missing.'],
    ["authorization", "bearer null", '"null", so a value is missing.'],
    ["x-age", `${login.age}`, '"NaN", so a value is missing.'],
    ["x-user", "of [object Object]", '"[object Object]", so an object stands where a text should.'],
    ["x-user", "[object Promise]", '"[object Promise]", so a promise was not awaited.'],
    ["cookie", `key=${secret}; session=${login.token}; b=2`, '"undefined", so a value is missing.'],
    ["if-none-match", `"${login.token}"`, '"undefined", so a value is missing.'],
    ["accept", `text/html,${login.token}`, '"undefined", so a value is missing.'],
  ])("is refused before anything is sent: %s: %s", async (name, value, says) => {
    const { server, http } = await open();
    const sentence = await refusal(() => send(http, { [name]: value }));
    expect(sentence).toBe(
      `headers: ${name} has ${says} If it is meant so, write it next to its name in the test's code.`,
    );
    expect(server.total()).toBe(0);
  });

  test.each([
    ["origin", "null"],
    ["x-term", "undefined-behaviour of nan, Null and [objects]"],
    ["authorization", "Bearer NaNundefinedZnull.null"],
    ["authorization", "Bearer "],
  ])("is not found in similar text: %s: %s", async (name, value) => {
    const { server, http } = await open();
    await send(http, { [name]: value });
    expect(server.total()).toBe(1);
  });

  test("is sent if the test's own code contains it, next to its name or the text before it", async () => {
    const { server, http } = await open(
      'http.get("/", { headers: { "x-mode": "undefined", cookie: `a=undefined; b=${b}` } }); typeof x === "undefined"',
    );
    await send(http, { "x-mode": "undefined", cookie: "a=undefined; b=2" });
    await send(http, { "x-mode": "undefined", cookie: "a=undefined; b=2" });
    expect(server.total()).toBe(2);
    expect(await refusal(() => send(http, { "x-age": "undefined" }))).toContain("x-age has");
    expect(await refusal(() => send(http, { cookie: "a=undefined; b=undefined" }))).toContain("cookie has");
    expect(server.total()).toBe(2);
  });
});

test("a value that is missing in a header of undici's request is refused, with undici's error", async () => {
  const { server, http } = await open();
  const dispatcher = http.dispatcher as never;
  const headers = { authorization: `Bearer ${login.token}` };
  await expect(request(server.url, { dispatcher, headers })).rejects.toMatchObject({
    code: "UND_ERR_INVALID_ARG",
    bearhugCode: "INVALID_REQUEST",
    message: expect.stringMatching(/^headers: authorization has "undefined"/) as string,
  });
  await expect(
    request(server.url, { dispatcher, method: "POST", body: "[object Object]" }),
  ).rejects.toMatchObject({ message: expect.stringMatching(/^body is "\[object Object\]"/) as string });
  expect(server.total()).toBe(0);
});

test("undefined as a header of http.fetch is refused, which fetch writes as a text", async () => {
  const { server, http } = await open();
  const headers = { authorization: login.token as never };
  expect(await refusal(() => http.fetch("/", { headers }))).toContain('authorization has "undefined"');
  const asked = new Request(server.url, { headers: { authorization: "Bearer undefined" } });
  expect(await refusal(() => http.fetch(asked))).toContain('authorization has "undefined"');
  expect(server.total()).toBe(0);
});

test("a header that a repeated request sends is refused when its value goes missing", async () => {
  const { server, http } = await open();
  for (let round = 0; round < 4; round++) await http.get("/", { headers: { authorization: "Bearer a1" } });
  const headers = { authorization: `Bearer ${login.token}` };
  expect(await refusal(() => http.get("/", { headers }))).toContain("authorization has");
  expect(server.total()).toBe(4);
});

test.each([
  [{ headers: ["authorization", "Bearer undefined"] }, 'http.headers: authorization has "undefined"'],
  [{ auth: { bearer: "undefined" } }, 'http.auth.bearer is "undefined"'],
  [{ auth: { username: "ana", password: "undefined" } }, 'http.auth.password is "undefined"'],
] as const)("a value that is missing in the defaults fails each request: %o", async (defaults, says) => {
  const { server, http } = await open("", defaults);
  for (const call of [async () => http.get("/"), async () => http.post("/", { json: {} })])
    expect(await refusal(call)).toContain(`${says}, so a value is missing.`);
  await expect(http.fetch("/")).rejects.toMatchObject({
    cause: { message: expect.stringContaining(says) as string },
  });
  expect(server.total()).toBe(0);
  const meant = await open(
    'http: { headers: { authorization: "Bearer undefined" } }; password: "undefined", bearer: "undefined"',
    defaults,
  );
  await meant.http.get("/");
  expect(meant.server.total()).toBe(1);
});

const files = { file: import.meta.filename };
const data = new FormData();
data.append("user", "undefined");

test.each<[RequestOptions, string]>([
  [{ auth: { bearer: `${login.token}` } }, 'auth.bearer is "undefined", so a value is missing.'],
  [{ auth: { bearer: "null" } }, 'auth.bearer is "null", so a value is missing.'],
  [{ auth: { username: `${login.token}`, password: "" } }, 'auth.username is "undefined"'],
  [{ cookies: { a: "1", session: `${login.token}` } }, 'cookies: "session" is "undefined", so a value'],
  [
    { form: { a: 1, user: `${login.token}` } },
    `form: "user" is "undefined", so a value is missing. If it is meant so, write it next to its name in the test's code, or give the form as a text, with body and a header content-type.`,
  ],
  [{ form: { user: ["a", "[object Object]"] } }, 'form: "user" is "[object Object]", so an object'],
  [{ form: [["user", "NaN"]] }, 'form: "user" is "NaN", so a value is missing.'],
  [
    { form: { user: "[object Object],[object Object]" } },
    'form: "user" is "[object Object],[object Object]", so an object',
  ],
  [
    { multipart: { files, user: "[object Promise]" } },
    `multipart: "user" is "[object Promise]", so a promise was not awaited. If it is meant so, write it next to its name in the test's code, or give { content }.`,
  ],
  [{ multipart: { age: login.age } }, 'multipart: "age" is "NaN", so a value is missing.'],
  [{ body: new URLSearchParams({ user: "undefined" }) }, 'body: "user" is "undefined"'],
  [{ body: data }, 'body: "user" is "undefined"'],
  [
    { body: "[object Object]" },
    `body is "[object Object]", so an object stands where a text should. If it is meant so, write it next to its name in the test's code, or give it as bytes.`,
  ],
  [
    { json: { a: { user: "undefined" } } },
    `json: "a.user" is "undefined", so a value is missing. If it is meant so, write it next to its name in the test's code, or give the JSON as a text, with body and a header content-type.`,
  ],
  [
    { json: { items: [{ price: 1 }, { price: login.age }] } },
    'json: "items[1].price" is NaN, which JSON writes as null. If it is meant so, give null.',
  ],
  [{ json: { "unit price": 1 / 0 } }, "is Infinity, which JSON writes as null."],
  [{ json: -1 / 0 }, "json: its value is -Infinity, which JSON writes as null."],
  [{ json: [1, undefined] }, 'json: "[1]" is undefined, which JSON writes as null.'],
  [{ json: { from: new Date(Number.NaN) } }, 'json: "from" is an invalid date, which JSON writes as null.'],
  [
    { json: { user: Promise.resolve(1) } },
    'json: "user" is a Promise, which JSON writes as {}: await it first.',
  ],
  [{ json: Promise.resolve(1) }, "json: its value is a Promise, which JSON writes as {}: await it first."],
  [
    { json: { users: new Map([["a", 1]]) } },
    'json: "users" is a Map, which JSON writes as {}: give a plain object or an array.',
  ],
  [{ json: { id: () => 1 } }, 'json: "id" is a function, which JSON leaves out: call it, or leave it out.'],
  [{ json: { ids: [() => 1] } }, 'json: "ids[0]" is a function, which JSON writes as null.'],
])("a value that is missing in a request is refused before anything is sent: %o", async (options, says) => {
  const { server, http } = await open();
  const isBody = options.auth === undefined && options.cookies === undefined;
  const compressed = isBody ? ({ ...options, compress: "gzip" } as const) : options;
  expect(await refusal(() => http.post("/orders", compressed))).toContain(says);
  expect(await refusal(() => http.put("/orders", options))).toContain(says);
  expect(server.total()).toBe(0);
});

class Filter {
  declare readonly name?: string;
}

class Cart {
  readonly items: readonly number[] = [1];
  readonly total = (): number => this.items.length;
}

test.each<RequestOptions>([
  { form: { user: "undefined behaviour", left: undefined, term: "Nan", at: "[objects]" } },
  { body: "user=undefined", headers: { "content-type": "application/x-www-form-urlencoded" } },
  { body: Buffer.from("undefined") },
  { multipart: { note: { content: "undefined" }, left: undefined, at: "null" } },
  { json: { left: undefined, boss: null, none: {}, list: [null, {}, []], at: new Date(0), name: "null" } },
  { json: null },
  { json: new Cart() },
  { json: { cart: new Cart(), of: { toJSON: () => 1, ratio: Number.NaN }, big: Object(1) as unknown } },
  { json: { empty: new Filter() } },
  { json: Object.assign(Object.create({ ratio: Number.NaN, term: "undefined" }) as object, { a: 1 }) },
  { json: { text: "undefined is not a function", html: "[object Object] of" } },
  { cookies: { theme: "null" } },
])("similar values are sent: %o", async (options) => {
  const { server, http } = await open();
  await http.post("/orders", options);
  expect(server.total()).toBe(1);
});

test("a method of an object is left out of JSON, but a function as a value is refused", async () => {
  const { server, http } = await open();
  const cart = {
    items: [1],
    total() {
      return 1;
    },
    async load() {
      return Promise.resolve(1);
    },
    *each() {
      yield 1;
    },
  };
  await http.post("/orders", { json: { cart } });
  expect(server.total()).toBe(1);
  for (const id of [async () => Promise.resolve(1), (total: number) => total, String])
    expect(await refusal(() => http.post("/", { json: { id } }))).toContain('"id" is a function');
});

test("a value is looked for in the first 200 fields of JSON, however deep", async () => {
  const { server, http } = await open();
  const listOf = (length: number) =>
    Array.from({ length }, (_, index) => (index === length - 1 ? Number.NaN : 1));
  const deep = { a: { b: { c: { d: { e: [{ f: listOf(1) }] } } } } };
  expect(await refusal(() => http.post("/", { json: { list: listOf(199) } }))).toContain(
    '"list[198]" is NaN',
  );
  expect(await refusal(() => http.post("/", { json: deep }))).toContain('"a.b.c.d.e[0].f[0]" is NaN');
  await http.post("/", { json: { list: listOf(200) } });
  expect(server.total()).toBe(1);
});

test("the ways that the messages name send such texts", async () => {
  const { server, http } = await open();
  const headers = { "content-type": "application/json" };
  await http.post("/", { headers, body: JSON.stringify({ user: "undefined", price: login.age }) });
  await http.post("/", { body: Buffer.from("[object Object]") });
  await http.post("/", { multipart: { user: { content: "undefined" } } });
  const form = new URLSearchParams({ user: "NaN" });
  await http.post("/", {
    body: form.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(server.total()).toBe(4);
});

test("values that the test's own code contains are sent", async () => {
  const { server, http } = await open(
    'form: { user: "undefined", tags: ["a", "undefined"] }, json: { "slot": "undefined" }, cookies: { ab: "undefined" }, bearer: "undefined"',
  );
  await http.post("/", { form: { user: "undefined", tags: ["a", "undefined"] } });
  await http.post("/", { json: { at: [{ slot: "undefined" }] } });
  await http.post("/", { multipart: { user: "undefined" } });
  await http.get("/", { cookies: { ab: "undefined" } });
  await http.get("/", { auth: { bearer: "undefined" } });
  http.cookies.set("ab", "undefined");
  expect(server.total()).toBe(5);
});

test.each([
  ["a variable", 'const term = "undefined"; http.post("/", { json: { q: term } })'],
  ["a parameter's default", 'async function search(http, term = "undefined") {}'],
  ["a list of terms", 'const terms = ["tea", "a;b", "undefined"]; http.post("/", { json: { q: terms[0] } })'],
  ["a list of rows", "const rows = [{ term: 'tea', hits: 1 }, { term: 'undefined', hits: 2 }];"],
  ["a call", 'await search(http, "undefined")'],
  ["a choice", 'http.post("/", { json: { q: pick(["tea", "undefined"]) } })'],
])("a text that %s in the test's own code has is sent", async (_what, code) => {
  const { server, http } = await open(code);
  await http.post("/", { json: { q: "undefined" } });
  await http.post("/", { form: { q: "undefined" } });
  await http.get("/", { headers: { "x-term": "undefined" } });
  await http.get(`/search?q=${String(undefined)}`);
  await http.get(`/terms/${String(undefined)}`);
  expect(server.total()).toBe(5);
  expect(await refusal(() => http.post("/", { json: { q: "NaN" } }))).toContain('"q" is "NaN"');
  expect(
    await refusal(() => http.get("/", { headers: { authorization: `Bearer ${login.token}` } })),
  ).toContain("authorization has");
});

test.each([
  'if (typeof token === "undefined") token = "";',
  'if (token !== "undefined" && "undefined" == token) log(token);',
  'switch (token) { case "undefined": break; }',
  'check(response, { "no undefined": ({ body }) => !body.includes("undefined") });',
  'const payload = { user: "undefined" }',
])("a text that the test's own code only compares, or has as another value, is refused: %s", async (code) => {
  const { server, http } = await open(code);
  expect(await refusal(() => http.post("/", { json: { q: "undefined" } }))).toContain('"q" is "undefined"');
  expect(server.total()).toBe(0);
});

test("a missing value is refused in a cookie that the test sets, but not in one that the server sets", async () => {
  const server = await startServer((_asked, response) => {
    response.writeHead(200, { "set-cookie": "session=undefined" }).end();
  });
  const { http } = startClient(server.url);
  expect(
    await refusal(() => {
      http.cookies.set("session", `${login.token}`);
    }),
  ).toContain('http.cookies: "session" is "undefined", so a value is missing.');
  await http.get("/");
  await http.get("/", { headers: { "x-a": "1" } });
  expect(server.total()).toBe(2);
});

test.each([
  [{ body: new URLSearchParams({ user: "undefined" }) }, 'body: "user" is "undefined"'],
  [{ body: "[object Object]" }, 'body is "[object Object]"'],
  [{ body: { a: 1 } as never }, 'body is "[object Object]"'],
])("a missing value in the body of http.fetch is refused: %o", async (init, says) => {
  const { server, http } = await open();
  expect(await refusal(() => http.fetch("/", { method: "POST", ...init }))).toContain(says);
  expect(server.total()).toBe(0);
});

test("a body of http.fetch that can be iterated, or has a text of its own, is sent", async () => {
  const { server, http } = await open();
  const chunks = {
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(Buffer.from("a"));
    },
  };
  const named = { toString: () => "user=ann" };
  for (const body of [chunks, named] as never[])
    await http.fetch("/", { method: "POST", body, duplex: "half" });
  expect(server.total()).toBe(2);
});
