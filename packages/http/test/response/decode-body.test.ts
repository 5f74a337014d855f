import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { decodeBody } from "../../src/response/decode-body.ts";

const MiB = 1024 * 1024;
const text = Buffer.from("grüß Gott ".repeat(500));

/** Compresses zeros in members of 32 MiB each, so that they are never in memory at once. */
function gzipOfZeros(bytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(32 * MiB), { level: 9 });
  return Buffer.concat(Array.from({ length: bytes / (32 * MiB) }, () => member));
}

/** Brotli's best quality takes seconds. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

describe("a body is decompressed", () => {
  test.each([
    { encoding: "", wire: text },
    { encoding: "identity", wire: text },
    { encoding: "gzip", wire: gzipSync(text) },
    { encoding: "X-GZip", wire: gzipSync(text) },
    { encoding: "deflate", wire: deflateSync(text) },
    { encoding: "br", wire: brotliCompressSync(text) },
    { encoding: "zstd", wire: zstdCompressSync(text) },
    { encoding: "deflate, GZIP", wire: gzipSync(deflateSync(text)) },
    { encoding: "br,, identity ,\tzstd", wire: zstdCompressSync(brotliCompressSync(text)) },
  ])("from '$encoding'", ({ encoding, wire }) => {
    expect(Buffer.from(decodeBody(wire, encoding)).equals(text)).toBe(true);
  });

  test("from deflate without zlib's header, as some servers send it and browsers read it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.integer({ min: 0, max: 9 }), (bytes, level) => {
        const raw = decodeBody(deflateRawSync(bytes, { level }), "deflate");
        const wrapped = decodeBody(deflateSync(bytes, { level }), "deflate");
        expect([Buffer.from(raw).equals(bytes), Buffer.from(wrapped).equals(bytes)]).toEqual([true, true]);
      }),
    );
  });

  test.each([
    { encoding: "gzip", part: (bytes: Buffer) => gzipSync(bytes) },
    { encoding: "zstd", part: (bytes: Buffer) => zstdCompressSync(bytes) },
  ])("from several members of $encoding, one after the other", ({ encoding, part }) => {
    const wire = Buffer.concat([part(Buffer.from("one ")), part(Buffer.alloc(0)), part(Buffer.from("two"))]);
    expect(Buffer.from(decodeBody(wire, encoding)).toString()).toBe("one two");
  });

  test("to nothing if it is empty, whatever its declared encoding", () => {
    expect(decodeBody(Buffer.alloc(0), "gzip")).toHaveLength(0);
  });

  test("only from known encodings: others stay as they came", () => {
    expect(decodeBody(text, "compress")).toBe(text);
    const wire = gzipSync(text);
    expect(decodeBody(wire, "gzip, klingon")).toBe(wire);
    expect(Buffer.from(decodeBody(wire, "klingon, gzip")).equals(text)).toBe(true);
  });
});

describe("a body that cannot be decompressed is an error with the reason", () => {
  const cut = (wire: Buffer) => wire.subarray(0, wire.length - 9);
  test.each([
    { what: "gzip cut short", encoding: "gzip", wire: cut(gzipSync(text)), says: "its gzip ends too early" },
    { what: "deflate cut short", encoding: "deflate", wire: cut(deflateSync(text)), says: "ends too early" },
    { what: "one byte", encoding: "deflate", wire: Buffer.from([0x78]), says: "ends too early" },
    { what: "brotli cut short", encoding: "br", wire: cut(brotliCompressSync(text)), says: "ends too early" },
    { what: "zstd cut short", encoding: "zstd", wire: cut(zstdCompressSync(text)), says: "ends too early" },
    { what: "not gzip", encoding: "gzip", wire: Buffer.from("plain"), says: "it is not gzip, or damaged" },
    { what: "not deflate", encoding: "deflate", wire: Buffer.from("plain"), says: "it is not deflate" },
    { what: "not brotli", encoding: "br", wire: Buffer.from("plain text here"), says: "it is not br" },
    { what: "not zstd", encoding: "zstd", wire: Buffer.from("plain"), says: "it is not zstd" },
    { what: "gzip in gzip, once", encoding: "gzip, gzip", wire: gzipSync(text), says: "it is not gzip" },
    { what: "encoded six times", encoding: "gzip,gzip,gzip,gzip,gzip,gzip", wire: text, says: "6 times" },
  ])("$what", ({ encoding, wire, says }) => {
    expect(() => decodeBody(wire, encoding)).toThrow(
      expect.objectContaining({ name: "DecodingFailure", message: expect.stringContaining(says) as string }),
    );
  });

  test("gzip with a changed byte never decodes to something else", () => {
    const wire = gzipSync(text);
    fc.assert(
      // The header's bytes (time, system) describe the body, and may change without it.
      fc.property(
        fc.integer({ min: 10, max: wire.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, xor) => {
          const damaged = Buffer.from(wire);
          damaged[at] = damaged[at]! ^ xor;
          // Some bits before the checksum are padding.
          const read = attempt(() => decodeBody(damaged, "gzip"));
          if (typeof read === "string") expect(read).toContain("gzip");
          else expect(text.equals(read)).toBe(true);
        },
      ),
    );
  });
});

function attempt(read: () => Uint8Array): Uint8Array | string {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("a bomb", () => {
  test("of a gigabyte of zeros is refused, and takes little more memory than the limit", () => {
    const bomb = gzipOfZeros(1024 * MiB);
    expect(bomb.length).toBeLessThan(2 * MiB);
    const before = process.memoryUsage().rss;
    expect(() => decodeBody(bomb, "gzip")).toThrow("is larger than 64 MiB when it is decompressed (gzip)");
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MiB);
  });

  test.each([
    { encoding: "gzip", compress: (bytes: Buffer) => gzipSync(bytes, { level: 1 }) },
    { encoding: "deflate", compress: (bytes: Buffer) => deflateRawSync(bytes, { level: 1 }) },
    { encoding: "br", compress: (bytes: Buffer) => brotliCompressSync(bytes, fastBrotli) },
    { encoding: "zstd", compress: (bytes: Buffer) => zstdCompressSync(bytes) },
    {
      encoding: "zstd",
      compress: (bytes: Buffer) => {
        const half = zstdCompressSync(bytes.subarray(0, bytes.length / 2));
        return Buffer.concat([half, half, zstdCompressSync(bytes.subarray(0, bytes.length % 2))]);
      },
    },
  ])("in $encoding: 64 MiB are read, and not a byte more", ({ encoding, compress }) => {
    const fits = Buffer.alloc(64 * MiB);
    expect(decodeBody(compress(fits), encoding)).toHaveLength(fits.length);
    expect(() => decodeBody(compress(Buffer.alloc(64 * MiB + 1)), encoding)).toThrow("larger than 64 MiB");
  });

  test("within another is refused at the first layer that is too large", () => {
    const wire = gzipSync(brotliCompressSync(Buffer.alloc(65 * MiB), fastBrotli));
    expect(() => decodeBody(wire, "br, gzip")).toThrow("when it is decompressed (br)");
  });

  test("of more than 1,000 empty frames is refused", () => {
    const empty = zstdCompressSync(Buffer.alloc(0));
    const wire = Buffer.concat(Array.from({ length: 1001 }, () => empty));
    expect(() => decodeBody(wire, "zstd")).toThrow("more than 1000 frames");
  });
});
