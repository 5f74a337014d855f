import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";
import { testedTransport } from "./tested-transport.ts";

type Headers = Readonly<Record<string, string | string[]>>;

async function respond(body: string | Uint8Array, headers: Headers = {}) {
  const server = await startServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  const { http } = startClient(server.url);
  return http.get("/");
}

describe("the body of a response", () => {
  const text = `{"greeting":"${"grüß Gott ".repeat(500)}"}`;

  test.each([
    { encoding: "gzip", compress: (bytes: Buffer) => gzipSync(bytes) },
    { encoding: "x-gzip", compress: (bytes: Buffer) => gzipSync(bytes) },
    { encoding: "deflate", compress: (bytes: Buffer) => deflateSync(bytes) },
    { encoding: "br", compress: (bytes: Buffer) => brotliCompressSync(bytes) },
    { encoding: "zstd", compress: (bytes: Buffer) => zstdCompressSync(bytes) },
    { encoding: "deflate, GZIP", compress: (bytes: Buffer) => gzipSync(deflateSync(bytes)) },
    { encoding: "identity", compress: (bytes: Buffer) => bytes },
  ])("in $encoding is decompressed when it is read", async ({ encoding, compress }) => {
    const wire = compress(Buffer.from(text));
    const response = await respond(wire, { "content-encoding": encoding });
    expect(response.size).toMatchObject({ body: wire.length, decoded: null });
    expect(response.text()).toBe(text);
    expect(response.size).toMatchObject({ body: wire.length, decoded: Buffer.byteLength(text) });
    expect(response.json()).toEqual(JSON.parse(text));
    expect(Buffer.from(response.bytes()).toString()).toBe(text);
  });

  test.each([
    { what: "cut short", body: gzipSync("x".repeat(10_000)).subarray(0, 30), says: "ends too early" },
    { what: "not gzip", body: Buffer.from("plain"), says: "it is not gzip, or damaged" },
    { what: "a bomb", body: gzipSync(Buffer.alloc(65 * 1024 * 1024)), says: "is larger than 64 MiB" },
  ])("that is $what is an error only when it is read", async ({ body, says }) => {
    const response = await respond(body, { "content-encoding": "gzip" });
    expect(response).toMatchObject({ status: 200, error: null });
    expect(response.size).toMatchObject({ body: body.length, decoded: null });
    expect(() => response.text()).toThrow(says);
    expect(() => response.bytes()).toThrow(expect.objectContaining({ name: "BodyUnavailableError" }));
  });

  test("may be empty, whatever its declared encoding", async () => {
    const response = await respond("", { "content-encoding": "gzip" });
    expect(response.text()).toBe("");
    expect(() => response.json()).toThrow("an empty body");
  });

  test("is decoded by its charset, or as UTF-8 where that is unknown", async () => {
    const latin = await respond(Uint8Array.of(0x67, 0xfc), {
      "content-type": 'text/plain; charset="ISO-8859-1"',
    });
    expect(latin.text()).toBe("gü");
    const unknown = await respond("gü", { "content-type": "text/plain; charset=klingon" });
    expect(unknown.text()).toBe("gü");
  });

  test("that is not JSON is quoted without the test's secrets", async () => {
    const server = await startServer((_request, response) => {
      response.end(`<p>${"x".repeat(50)}s3cret-token</p>`);
    });
    const response = await startClient(server.url, [], ["s3cret-token"]).http.get("/");
    expect(() => response.json()).toThrow(SyntaxError);
    expect(() => response.json()).toThrow(`x***<`);
    expect(response.text()).toContain("s3cret-token");
  });

  test("that is not JSON is quoted in the error", async () => {
    const response = await respond("<!doctype html>");
    expect(() => response.json()).toThrow(
      '(status 200) did not respond with JSON but with "<!doctype html>"',
    );
  });

  test("larger than 10 MiB is counted but not kept", async () => {
    const size = 10 * 1024 * 1024;
    const kept = await respond(Buffer.alloc(size, "a"));
    expect(kept.bytes()).toHaveLength(size);
    const large = await respond(Buffer.alloc(size + 1, "a"));
    expect(large).toMatchObject({ status: 200, error: null });
    expect(large.size.body).toBe(size + 1);
    expect(() => large.text()).toThrow("only bodies up to 10 MiB are kept");
  });
});

describe("a body that the test discards", () => {
  test("is counted and dropped, and an error says so if it is read after all", async () => {
    const server = await startServer((_request, response) => {
      response.end("x".repeat(100_000));
    });
    const { http } = startClient(server.url);
    const response = await http.get("/", { discardBodies: true });
    expect(response).toMatchObject({ status: 200, error: null, size: { body: 100_000, decoded: null } });
    expect(() => response.text()).toThrow("set discardBodies: false on this request to keep them");
    expect((await http.get("/", { discardBodies: false })).text()).toHaveLength(100_000);
  });
});

describe("the head of a response", () => {
  test("finds headers regardless of case, and joins those of the same name", async () => {
    const { headers } = await respond("", { "X-One": "1", "x-many": ["a", "b"] });
    expect(headers.get("x-one")).toBe("1");
    expect(headers.get("X-MANY")).toBe("a, b");
    expect(headers.getAll("x-Many")).toEqual(["a", "b"]);
    expect(headers.get("absent")).toBeNull();
    expect([...headers.entries()]).toContainEqual(["x-one", "1"]);
  });

  test("has the cookies that the response sets", async () => {
    const { cookies } = await respond("", {
      "set-cookie": ["sid=a=b; Path=/; HttpOnly", "theme=dark", "=none", "bad"],
    });
    expect([...cookies]).toEqual([
      ["sid", "a=b"],
      ["theme", "dark"],
    ]);
  });

  test.each([
    { status: 200, ok: true },
    { status: 299, ok: true },
    { status: 304, ok: false },
    { status: 500, ok: false },
  ])("with status $status is ok: $ok", async ({ status, ok }) => {
    const server = await startServer((_request, response) => {
      response.statusCode = status;
      response.end();
    });
    const response = await startClient(server.url).http.get("/");
    expect(response).toMatchObject({ status, ok, protocol: "HTTP/1.1", error: null });
  });

  test("that came at once took no time to receive: the time to read it is not included", async () => {
    const { timings } = await respond("hello");
    // undici reports the end a moment after the head.
    if (testedTransport === "bearhug") expect(timings.receiving).toBe(0);
    expect(timings.waiting).toBeGreaterThan(0);
  });
});
