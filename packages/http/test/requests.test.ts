import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";

import { version } from "@bearhug/text/version";
import { describe, expect, test } from "vitest";

import { startServer, type HttpServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

async function startRecording(): Promise<HttpServer & { readonly last: () => Seen }> {
  const seen: Seen[] = [];
  const server = await startServer((request, response, body) => {
    const { method = "", url = "", headers, rawHeaders } = request;
    seen.push({ method, url, headers, rawHeaders, body });
    response.end();
  });
  return { ...server, last: () => seen.at(-1)! };
}

describe("a request", () => {
  test.each(["get", "post", "put", "patch", "delete", "options"] as const)(
    "by http.%s has that method",
    async (method) => {
      const server = await startRecording();
      const { http } = startClient(server.url);
      const send = http[method];
      await send("/x");
      expect(server.last()).toMatchObject({ method: method.toUpperCase(), url: "/x" });
    },
  );

  test("by http.request has any method", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.request("propfind", "/x");
    expect(server.last().method).toBe("PROPFIND");
  });

  test("has bearhug's user-agent, unless the test sets one", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get("/");
    expect(server.last().headers["user-agent"]).toBe(`bearhug/${version}`);
    await http.get("/", { headers: { "User-Agent": "mine" } });
    expect(server.last().headers["user-agent"]).toBe("mine");
  });

  test("takes headers as a Headers object and as pairs", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get("/", { headers: new Headers({ "x-one": "1", accept: "text/html" }) });
    expect(server.last().headers).toMatchObject({ "x-one": "1", accept: "text/html" });
    const pairs = [
      ["x-many", "a"],
      ["X-Many", "b"],
    ] as const;
    await http.get("/", { headers: pairs });
    expect(server.last().rawHeaders.join(" ")).toContain("x-many a X-Many b");
  });

  test("sends a FormData as a browser does, with its length", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    const form = new FormData();
    form.append("user", "ann");
    form.append("photo", new File(["jpeg"], "beach.jpg", { type: "image/jpeg" }));
    await http.post("/", { body: form });
    const { headers, body } = server.last();
    expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(body.toString()).toContain('name="photo"; filename="beach.jpg"');
    await expect(
      http.post("/", { body: form, headers: new Headers({ "Content-Type": "multipart/form-data" }) }),
    ).rejects.toThrow("content-type: leave it out with a FormData: bearhug sets it");
  });

  test("takes a URLSearchParams as its query, in its own order", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get("/find?q=1", { params: new URLSearchParams("b=1&a=2&b=3 4") });
    expect(server.last().url).toBe("/find?q=1&b=1&a=2&b=3+4");
  });

  test("writes header names as given, and a list of values as several headers", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get("/", { headers: { "X-CamelCase": "1", "x-many": ["a", "b"] } });
    const { rawHeaders } = server.last();
    expect(rawHeaders).toContain("X-CamelCase");
    expect(rawHeaders.filter((text) => text === "x-many")).toHaveLength(2);
  });

  test("writes JSON, forms and bodies, each with its type and length", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.post("/", { json: { name: "Björn", n: [1, null] } });
    expect(server.last().body.toString()).toBe('{"name":"Björn","n":[1,null]}');
    expect(server.last().headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "30",
    });
    await http.post("/", { form: { a: "x y&z", b: [1, true], c: undefined, d: "ä" } });
    expect(server.last().body.toString()).toBe("a=x+y%26z&b=1&b=true&d=%C3%A4");
    expect(server.last().headers["content-type"]).toBe("application/x-www-form-urlencoded");
    await http.post("/", { body: "text ✓" });
    expect(server.last().body.toString()).toBe("text ✓");
    expect(server.last().headers).not.toHaveProperty("content-type");
    await http.put("/", { body: Uint8Array.of(0, 255, 10, 13) });
    expect([...server.last().body]).toEqual([0, 255, 10, 13]);
    await http.post("/", { json: 1, headers: { "Content-Type": "application/vnd.api+json" } });
    expect(server.last().headers["content-type"]).toBe("application/vnd.api+json");
  });

  test("writes a body in parts as a browser's form does, in memory and from disk", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    const form = async (): Promise<FormData> => {
      const { body, headers } = server.last();
      const type = { headers: { "content-type": String(headers["content-type"]) } };
      const parser: { formData(): Promise<FormData> } = new Response(new Uint8Array(body), type);
      return parser.formData();
    };
    await http.post("/", { multipart: { name: "Björn", tags: ["a", "b"], icon: Uint8Array.of(0, 255) } });
    expect(server.last().headers["content-length"]).toBe(String(server.last().body.length));
    expect([...(await form()).keys()]).toEqual(["name", "tags", "tags", "icon"]);
    await http.post("/", { multipart: { source: { file: "requests.test.ts", type: "text/plain" } } });
    expect(server.last().headers["content-length"]).toBe(String(server.last().body.length));
    const source = (await form()).get("source") as File;
    expect([source.name, source.type]).toEqual(["requests.test.ts", "text/plain"]);
    expect(await source.text()).toBe(await readFile(import.meta.filename, "utf8"));
    const content = Readable.from([Buffer.from("streamed")]);
    await http.post("/", { multipart: { stream: { content, filename: "s" } } });
    expect(server.last().headers).toMatchObject({ "transfer-encoding": "chunked" });
    expect(await ((await form()).get("stream") as File).text()).toBe("streamed");
  });

  test("writes a stream while it is read, in chunks or with the length that the test gives", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    const piece = Buffer.alloc(100_000, "x");
    const stream = (): Readable => Readable.from([piece, Buffer.alloc(0), piece, piece]);
    await http.post("/", { body: stream() });
    expect(server.last().headers).toMatchObject({ "transfer-encoding": "chunked" });
    expect(server.last().headers).not.toHaveProperty("content-length");
    expect(server.last().body).toHaveLength(300_000);
    await http.put("/", { body: stream(), headers: { "Content-Length": "300000" } });
    expect(server.last().headers).toMatchObject({ "content-length": "300000" });
    expect(server.last().headers).not.toHaveProperty("transfer-encoding");
    expect(server.last().body).toHaveLength(300_000);
    const blob = new Blob(["from the web"]).stream();
    const { size } = await http.post("/", { body: blob });
    expect(server.last().body.toString()).toBe("from the web");
    expect(size.sent).toBeGreaterThan("from the web".length);
  });

  test.each([
    { what: "ends too early", pieces: ["ab"], says: "the body ended after 2 of its declared 3 bytes" },
    {
      what: "goes on for too long",
      pieces: ["ab", "cd"],
      says: "the body is longer than its declared length of 3 bytes",
    },
  ])("with a stream that $what fails as REQUEST_BODY_FAILED", async ({ pieces, says }) => {
    const server = await startRecording();
    const { http, row } = startClient(server.url);
    const body = Readable.from(pieces.map((text) => Buffer.from(text)));
    const { status, error } = await http.post("/", { body, headers: { "content-length": "3" } });
    expect([status, error?.code]).toEqual([0, "REQUEST_BODY_FAILED"]);
    expect(error?.message).toContain(says);
    expect(row("POST /")).toMatchObject({ started: 1, failed: 1 });
    expect((await http.get("/")).status).toBe(200);
  });

  test("without a body declares a length of 0 if its method usually has a body", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.post("/");
    expect(server.last().headers["content-length"]).toBe("0");
    await http.get("/");
    expect(server.last().headers).not.toHaveProperty("content-length");
  });

  test.each([
    { url: "/x", params: { a: "1", b: ["2", "3"] }, line: "/x?a=1&b=2&b=3" },
    { url: "/x?y=1", params: { a: "ä /" }, line: "/x?y=1&a=%C3%A4+%2F" },
    { url: "/x#part", params: { a: 1 }, line: "/x?a=1" },
    { url: "/x?y=1#a?b", params: { a: undefined }, line: "/x?y=1" },
    { url: "/ä b", params: {}, line: "/%C3%A4%20b" },
  ])("to $url with $params goes to $line", async ({ url, params, line }) => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get(url, { params });
    expect(server.last().url).toBe(line);
  });

  test("is authorized by a bearer token, or by name and password", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    await http.get("/", { auth: { bearer: "t0ken" } });
    expect(server.last().headers["authorization"]).toBe("Bearer t0ken");
    await http.get("/", { auth: { username: "Aladdin", password: "open sesame" } });
    expect(server.last().headers["authorization"]).toBe("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    await http.get("/", { auth: { bearer: "t0ken" }, headers: { Authorization: "own" } });
    expect(server.last().headers["authorization"]).toBe("own");
  });

  test("takes a URL object, or a relative or absolute address", async () => {
    const server = await startRecording();
    const { http } = startClient(server.url);
    expect((await http.get(new URL("/a?b", server.url))).url).toBe(`${server.url}/a?b`);
    expect((await http.get(`${server.url}/c`)).url).toBe(`${server.url}/c`);
    expect((await http.get("d")).url).toBe(`${server.url}/d`);
  });

  test("of a batch may be an address or an object; functions of http work when destructured", async () => {
    const server = await startRecording();
    const { batch, get } = startClient(server.url).http;
    const [one, two] = await batch(["/a", { method: "put", url: "/b", json: 1 }]);
    expect([one.url, two.url]).toEqual([`${server.url}/a`, `${server.url}/b`]);
    expect([...server.lines].sort()).toEqual(["GET /a", "PUT /b"]);
    expect((await get("/c")).status).toBe(200);
    expect(await batch([])).toEqual([]);
  });
});

describe("an invalid request", () => {
  test.each([
    { url: "http://elsewhere.example/", code: "HOST_NOT_ALLOWED" },
    { url: "//127.0.0.1:1/", code: "HOST_NOT_ALLOWED" },
    { url: "https://127.0.0.1/", code: "HOST_NOT_ALLOWED" },
    { url: "ftp://127.0.0.1/", code: "INVALID_URL" },
    { url: "http://", code: "INVALID_URL" },
  ])("to $url is refused with $code before anything is sent", async ({ url, code }) => {
    const server = await startRecording();
    const { http, engine } = startClient(server.url);
    await expect(http.get(url)).rejects.toMatchObject({ code });
    await expect(http.batch([url, "/fine"])).rejects.toMatchObject({ code });
    expect(server.lines).toEqual(["GET /fine"]);
    expect(engine.accounting.requests()).toMatchObject([{ name: "GET /fine", started: 1, succeeded: 1 }]);
  });

  test("with a timeout of 0 is refused with INVALID_REQUEST", async () => {
    const { http } = startClient("http://127.0.0.1:1");
    await expect(http.get("/", { timeout: 0 })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("with a relative address and no baseUrl is refused with what is missing", async () => {
    await expect(startClient(null).http.get("/x")).rejects.toThrow("the test has no baseUrl");
  });

  test.each([
    { options: { json: 1, body: "x" }, says: "one of json, form, multipart and body" },
    { options: { json: () => 1 }, says: "cannot be written as JSON" },
    { options: { multipart: { f: { file: "/nowhere/at/all" } } }, says: '"f" is the file "/nowhere/at/all"' },
    { options: { headers: { "x-evil": "a\r\nx-injected: b" } }, says: "x-evil contains a line break" },
    { options: { headers: { "bad name": "x" } }, says: '"bad name" is not a valid header name' },
    { options: { headers: { "content-length": "99" }, body: "short" }, says: "the body has 5 bytes" },
    {
      options: { headers: { connection: "upgrade" } },
      says: "changing the protocol (WebSocket) is not supported yet",
    },
    { options: { timeout: 0 }, says: "timeout must be longer than 0" },
    { options: { timeout: "5 s" as "5s" }, says: 'timeout: Duration "5 s": did you mean "5s"?' },
    { options: { timeout: "0s" as const }, says: "timeout must be longer than 0" },
  ])("with $says is refused", async ({ options, says }) => {
    const server = await startRecording();
    const { http, session, engine } = startClient(server.url);
    await expect(http.post("/", options)).rejects.toThrow(says);
    expect(server.lines).toEqual([]);
    expect(session.inFlight.size).toBe(0);
    for (const { started, succeeded, failed, interrupted } of engine.accounting.requests()) {
      expect(started).toBe(succeeded + failed + interrupted);
    }
  });
});

describe("the expectation of a request", () => {
  test.each([
    { status: 200, expect: undefined, isGood: true },
    { status: 399, expect: undefined, isGood: true },
    { status: 404, expect: undefined, isGood: false },
    { status: 404, expect: 404, isGood: true },
    { status: 200, expect: 404, isGood: false },
    { status: 404, expect: [200, { min: 400, max: 404 }], isGood: true },
    { status: 405, expect: { min: 400, max: 404 }, isGood: false },
  ])("accepts status $status with expect $expect: $isGood", async ({ status, expect: expected, isGood }) => {
    const server = await startServer((_request, response) => {
      response.statusCode = status;
      response.end();
    });
    const { http, row, metric, engine } = startClient(server.url);
    const options = expected === undefined ? {} : { expect: expected };
    expect((await http.get("/", options)).status).toBe(status);
    expect(row("GET /")).toMatchObject({ succeeded: isGood ? 1 : 0, failed: isGood ? 0 : 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: isGood ? 0 : 1, samples: 1 });
    expect(metric(`http_reqs{expected_response:${isGood},status:${status}}`)).toMatchObject({ total: 1 });
    expect(engine.errors.all().map(({ code }) => code)).toEqual(isGood ? [] : [`HTTP_${status}`]);
    const strict = http.get("/", { ...options, throwOnError: true });
    if (isGood) expect((await strict).status).toBe(status);
    else await expect(strict).rejects.toMatchObject({ name: "RequestFailedError", response: { status } });
  });

  test("leaves the name and tags of a request to the test", async () => {
    const server = await startRecording();
    const { http, row, metric } = startClient(server.url);
    await http.get("/users/42");
    await http.get("/users/43?x", { name: "one user", tags: { kind: "vip" } });
    expect(row("GET /users/:id")).toMatchObject({ started: 1 });
    expect(row("one user")).toMatchObject({ started: 1, sent: 1, succeeded: 1 });
    expect(metric("http_reqs{name:one user,kind:vip}")).toMatchObject({ total: 1 });
    expect(metric("http_reqs{kind:vip}")).toMatchObject({ total: 1 });
  });
});
