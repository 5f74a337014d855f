import { Readable } from "node:stream";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { RequestOptions } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { compressBytes } from "../../src/request/compress-body.ts";
import { decodeBody } from "../../src/response/decode-body.ts";
import { startServer } from "../servers.ts";
import { startClient } from "../start-client.ts";

const encodings = ["gzip", "deflate", "br", "zstd"] as const;

/** Starts a server that responds with what it received: encoding, length, type, and the decompressed body. */
async function startEcho() {
  return await startServer((request, response, body) => {
    const encoding = request.headers["content-encoding"] ?? "";
    const { "content-length": length, "content-type": type, "transfer-encoding": transfer } = request.headers;
    const text = Buffer.from(decodeBody(body, encoding)).toString();
    response.end(JSON.stringify({ encoding, length, type, transfer, bytes: body.length, text }));
  });
}

describe("compress", () => {
  test.each(encodings)("%s: compresses the body, and sends the encoding in a header", async (compress) => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    const items = Array.from({ length: 500 }, (_, id) => ({ id, name: "Björn" }));
    const response = await http.post("/", { json: items, compress });
    const echo = response.json<{ bytes: number; length: string }>();
    expect(echo).toMatchObject({
      encoding: compress,
      type: "application/json",
      length: String(echo.bytes),
      text: JSON.stringify(items),
    });
    expect(echo.bytes).toBeLessThan(4000);
    expect(response.size.sent).toBeLessThan(5000);
  });

  test.each(encodings)(
    "%s: a stream is compressed while it is read, and sent in chunks",
    async (compress) => {
      const server = await startEcho();
      const { http } = startClient(server.url);
      const body = Readable.from(Array.from({ length: 100 }, () => Buffer.from("0123456789")));
      expect((await http.post("/", { body, compress })).json()).toMatchObject({
        encoding: compress,
        transfer: "chunked",
        text: "0123456789".repeat(100),
      });
    },
  );

  test("compresses a form, and a multipart body", async () => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    expect((await http.post("/", { form: { a: 1 }, compress: "gzip" })).json()).toMatchObject({
      text: "a=1",
    });
    const parts = await http.post("/", { multipart: { a: "one" }, compress: "gzip" });
    expect(parts.json<{ text: string }>().text).toContain("one");
  });

  test("a stream that fails fails the request", async () => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from("x"));
      throw new Error("the disk is gone");
    }
    const { error } = await http.post("/", { body: broken(), compress: "gzip" });
    expect(error).toMatchObject({ code: "REQUEST_BODY_FAILED" });
    expect(error?.message).toContain("the disk is gone");
  });

  test("a redirect that keeps the body sends it compressed again, one that does not sends no encoding", async () => {
    const seen: unknown[] = [];
    const server = await startServer((request, response, body) => {
      seen.push([request.method, request.url, request.headers["content-encoding"], body.length > 0]);
      const status = { "/307": 307, "/303": 303 }[request.url ?? ""] ?? 200;
      response.writeHead(status, { location: "/end" }).end();
    });
    const { http } = startClient(server.url, [], [], { ...defaultHttp, connections: "perRequest" });
    await http.post("/307", { body: "text", compress: "gzip" });
    await http.post("/303", { body: "text", compress: "gzip" });
    expect(seen).toEqual([
      ["POST", "/307", "gzip", true],
      ["POST", "/end", "gzip", true],
      ["POST", "/303", "gzip", true],
      ["GET", "/end", undefined, false],
    ]);
  });

  test("bytes that were compressed before are not compressed again, unless they have changed", () => {
    const bytes = Buffer.from("constant ".repeat(100));
    const first = compressBytes(bytes, "gzip");
    expect(compressBytes(Buffer.from(bytes), "gzip")).toBe(first);
    expect(compressBytes(bytes, "br")).not.toBe(first);
    bytes[0] = 0;
    expect(decodeBody(compressBytes(bytes, "gzip"), "gzip")[0]).toBe(0);
  });

  test("only a few compressed bodies are kept", () => {
    const first = compressBytes(Buffer.from("a"), "gzip");
    for (let length = 2; length < 100; length++) compressBytes(Buffer.alloc(length), "gzip");
    expect(compressBytes(Buffer.from("a"), "gzip")).not.toBe(first);
    const large = Buffer.alloc(2 * 1024 * 1024);
    expect(compressBytes(large, "gzip")).not.toBe(compressBytes(large, "gzip"));
  });

  test.each([
    [{ body: "x", compress: "gzp" }, 'compress must be one of "gzip", "deflate", "br", "zstd", but is "gzp"'],
    [{ compress: "gzip" }, "compress: the request has no body to compress."],
    [
      { body: "x", compress: "gzip", headers: { "Content-Encoding": "gzip" } },
      "content-encoding: leave it out",
    ],
    [{ body: "x", compress: "gzip", headers: { "content-length": "1" } }, "content-length: leave it out"],
  ])("%j is refused before anything is sent: %s", async (options, says) => {
    const server = await startEcho();
    const { http } = startClient(server.url);
    await expect(http.post("/", options as RequestOptions)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(says) as string,
    });
    expect(server.lines).toEqual([]);
  });
});
