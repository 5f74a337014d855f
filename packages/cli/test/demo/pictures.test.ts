import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodePng } from "../../src/demo/assets/encode-png.ts";
import { encodeWebp } from "../../src/demo/assets/encode-webp.ts";
import { aurora, honeycomb } from "../../src/demo/assets/pictures.ts";

test("a PNG holds its pixels, row by row", () => {
  const png = encodePng({ width: 2, height: 2, colorAt: (x, y) => [x, y, 7] });
  const dataAt = png.indexOf("IDAT");
  const data = png.subarray(dataAt + 4, dataAt + 4 + png.readUInt32BE(dataAt - 4));
  expect([...inflateSync(data)]).toEqual([0, 0, 0, 7, 1, 0, 7, 0, 0, 1, 7, 1, 1, 7]);
});

test("a WebP says its size twice, and both are true", () => {
  const webp = encodeWebp({ width: 3, height: 5, colorAt: () => [1, 2, 3] });
  expect(webp.toString("latin1", 0, 4) + webp.toString("latin1", 8, 16)).toBe("RIFFWEBPVP8L");
  expect(webp.readUInt32LE(4)).toBe(webp.length - 8);
  const sizeBits = webp.readUInt32LE(21);
  expect([(sizeBits & 0x3fff) + 1, ((sizeBits >> 14) & 0x3fff) + 1]).toEqual([3, 5]);
});

test("pictures are of modest size, and the same at every start", () => {
  expect(encodeWebp(aurora).length).toBeLessThan(64 * 1024);
  expect(encodePng(honeycomb(1)).length).toBeLessThan(16 * 1024);
  expect(encodeWebp(aurora)).toEqual(encodeWebp(aurora));
  expect(encodePng(honeycomb(1))).not.toEqual(encodePng(honeycomb(2)));
});
