import { brotliCompressSync, gzipSync } from "node:zlib";

import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { requestExcerpt, responseExcerpt } from "../../src/exchange/body-excerpt.ts";

const plain = { contentType: "text/plain", contentEncoding: "" };
const mask = createMask(["s3cret-value"]);

function received(body: Uint8Array, form = plain): ReturnType<typeof responseExcerpt> {
  return responseExcerpt([body], body.length, form, mask);
}

describe("the beginning of a body", () => {
  test("is the whole text, without secrets, if it is short", () => {
    expect(received(Buffer.from("Käse s3cret-value"))).toEqual({
      text: "Käse ***",
      isWhole: true,
      bytes: 18,
    });
    expect(requestExcerpt(Buffer.from("a=1"), plain, mask)).toEqual({ text: "a=1", isWhole: true, bytes: 3 });
  });

  test("has 512 characters of a longer one, and no part of a secret at its end", () => {
    const text = `${"x".repeat(508)}s3cret-value${"y".repeat(50_000)}`;
    expect(received(Buffer.from(text))).toEqual({
      text: `${"x".repeat(508)}***y`,
      isWhole: false,
      bytes: text.length,
    });
  });

  test("of which only a piece was kept has no part of a secret either", () => {
    const piece = Buffer.from(`${"x".repeat(100)}s3cret-v`);
    expect(responseExcerpt([piece], 5000, plain, mask)).toEqual({
      text: `${"x".repeat(100)}***`,
      isWhole: false,
      bytes: 5000,
    });
  });

  test.each([
    ["gzip", gzipSync("hello s3cret-value")],
    ["br", brotliCompressSync("hello s3cret-value")],
  ])("is decompressed: %s", (contentEncoding, body) => {
    expect(received(body, { ...plain, contentEncoding })).toMatchObject({ text: "hello ***", isWhole: true });
  });

  test.each<[string, Uint8Array, string]>([
    ["is not text", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), ""],
    ["is not text in its charset", Buffer.from([0xff, 0xfe - 1, 0x80]), ""],
    ["is damaged", Buffer.from("hello"), "gzip"],
    ["becomes too large", gzipSync(Buffer.alloc(5_000_000, 97)), "gzip"],
  ])("is not shown if the body %s", (_, body, contentEncoding) => {
    expect(received(body, { contentType: "text/plain", contentEncoding })).toEqual({
      text: null,
      isWhole: false,
      bytes: body.length,
    });
  });

  test("is null if there is no body, and unknown if it was not kept", () => {
    expect(received(Buffer.alloc(0))).toBeNull();
    expect(requestExcerpt(null, plain, mask)).toBeNull();
    expect(responseExcerpt(null, 900, plain, mask)).toEqual({ text: null, isWhole: false, bytes: 900 });
  });
});
