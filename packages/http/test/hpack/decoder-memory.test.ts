/** The memory that a decoder keeps from block to block, and its limits. */
import { expect, test } from "vitest";

import { HpackDecoder } from "../../src/hpack/hpack-decoder.ts";
import { fieldDecoder, hex } from "./decode.ts";

const insertsTwo = hex("40016101624001630164");

test("a block that repeats is interpreted once, and inserts its fields again", () => {
  let interpreted = 0;
  const decoder = new HpackDecoder({
    maxListBytes: 1000,
    maxFields: 100,
    interpret: (fields) => ({ fields, count: ++interpreted }),
  });
  const first = decoder.decode(insertsTwo, 0, insertsTwo.length);
  expect(decoder.decode(insertsTwo, 0, insertsTwo.length)).toBe(first);
  expect(interpreted).toBe(1);
  expect(decoder.decode(hex("bebfc0c1"), 0, 4)?.fields).toEqual(["c", "d", "a", "b", "c", "d", "a", "b"]);
});

test("equal bytes mean other fields when the table has changed", () => {
  const decoder = fieldDecoder();
  decoder.decode(insertsTwo, 0, insertsTwo.length);
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["c", "d"]);
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["c", "d"]);
  // Inserts a field with the name of index 63, which becomes index 62.
  expect(decoder.decode(hex("7f000165"), 0, 4)).toEqual(["a", "e"]);
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["a", "e"]);
});

test("a repeated block that refers to its own insertions is decoded again", () => {
  const decoder = fieldDecoder();
  decoder.decode(insertsTwo, 0, insertsTwo.length);
  // Inserts a field, then refers to the one inserted two before.
  const block = hex("4001650166c0");
  expect(decoder.decode(block, 0, 6)).toEqual(["e", "f", "a", "b"]);
  expect(decoder.decode(block, 0, 6)).toEqual(["e", "f", "c", "d"]);
});

test("a size update is applied each time it comes", () => {
  const decoder = fieldDecoder();
  const emptied = Buffer.concat([hex("203fe11f"), insertsTwo]);
  for (let time = 0; time < 2; time++) {
    expect(decoder.decode(emptied, 0, emptied.length)).toEqual(["a", "b", "c", "d"]);
  }
  expect(decoder.decode(hex("bebf"), 0, 2)).toEqual(["c", "d", "a", "b"]);
  expect(() => decoder.decode(hex("c0"), 0, 1)).toThrow("no field has the index 64");
});

test("the bytes of a block may change after it was decoded", () => {
  const decoder = fieldDecoder();
  const lent = Buffer.from(insertsTwo);
  decoder.decode(lent, 0, lent.length);
  lent.write("z", 2);
  expect(decoder.decode(lent, 0, lent.length)).toEqual(["z", "b", "c", "d"]);
});

test.each([
  { limit: "bytes", options: { maxListBytes: 67 } },
  { limit: "fields", options: { maxFields: 1 } },
])("a list with too many $limit is dropped, and the connection goes on", ({ options }) => {
  const decoder = fieldDecoder(options);
  expect(decoder.decode(insertsTwo, 0, insertsTwo.length)).toBeNull();
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["c", "d"]);
});

test("a list at the limits is read", () => {
  const decoder = fieldDecoder({ maxListBytes: 68, maxFields: 2 });
  expect(decoder.decode(hex("00016101620001630164"), 0, 10)).toEqual(["a", "b", "c", "d"]);
});

test("a bomb, which refers to a large field a million times, is not built", () => {
  const decoder = fieldDecoder();
  const large = Buffer.concat([hex("4001617fa11e"), Buffer.alloc(4000, "x")]);
  expect(decoder.decode(large, 0, large.length)).toEqual(["a", "x".repeat(4000)]);
  const bomb = Buffer.alloc(1_000_000, 0xbe);
  expect(decoder.decode(bomb, 0, bomb.length)).toBeNull();
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["a", "x".repeat(4000)]);
});

test("equal bytes are not reused after the table was emptied", () => {
  const decoder = fieldDecoder();
  decoder.decode(insertsTwo, 0, insertsTwo.length);
  expect(decoder.decode(hex("be"), 0, 1)).toEqual(["c", "d"]);
  // The decoder remembers the block before this one, and nothing of this one.
  expect(decoder.decode(hex("203fe11f"), 0, 4)).toEqual([]);
  expect(() => decoder.decode(hex("be"), 0, 1)).toThrow("no field has the index 62");
});

test("a repeated block is recognized wherever it lies in its buffer", () => {
  const decoder = fieldDecoder();
  const first = decoder.decode(hex("0001610162"), 0, 5);
  expect(decoder.decode(hex("ffff0001610162"), 2, 7)).toBe(first);
  expect(decoder.decode(hex("0001610162000163016400"), 5, 10)).toEqual(["c", "d"]);
});
