import { expect, test } from "vitest";

import { HpackError } from "../../src/hpack/hpack-error.ts";
import { decodeBlock, fieldDecoder, hex } from "./decode.ts";

test.each([
  { what: "index 0", block: "80", reason: "no field has the index 0" },
  { what: "an index beyond an empty table", block: "be", reason: "no field has the index 62" },
  { what: "the index of a name beyond the table", block: "7f2001 61", reason: "no field has the index 95" },
  { what: "an index whose bytes are missing", block: "ff", reason: "the block ends within a field" },
  { what: "an index that does not end", block: "ff8080808000", reason: "an integer is too large" },
  { what: "an index of 2^63", block: "ffffffffffffffffff7f", reason: "an integer is too large" },
  { what: "a length with the sign bit set", block: "007fffffffff0f", reason: "an integer is too large" },
  { what: "a name that is cut off", block: "0003 6162", reason: "the block ends within a field" },
  { what: "a name without a value", block: "0002 6162", reason: "the block ends within a field" },
  { what: "a value that is cut off", block: "0001 61 02 62", reason: "the block ends within a field" },
  {
    what: "a value longer than any block",
    block: "0001 61 7fffffff7f",
    reason: "the block ends within a field",
  },
  {
    what: "a size update after a field",
    block: "8220",
    reason: "a change of the table size within a block",
  },
  {
    what: "a table larger than allowed",
    block: "3fe21f",
    reason: "a table size of 4097 where 4096 is allowed",
  },
  {
    what: "padding of zeros",
    block: "0001 61 81 18",
    reason: "a Huffman-encoded string ends with wrong padding",
  },
  {
    what: "padding of eight bits",
    block: "0001 61 82 f8ff",
    reason: "a Huffman-encoded string ends with wrong padding",
  },
  {
    what: "a symbol that is cut off",
    block: "0001 61 82 fffe",
    reason: "a Huffman-encoded string ends with wrong padding",
  },
  {
    what: "EOS in a string",
    block: "0001 61 84 ffffffff",
    reason: "a Huffman-encoded string contains EOS",
  },
])("$what is refused", ({ block, reason }) => {
  expect(() => decodeBlock(hex(block))).toThrow(new HpackError(reason));
});

test("an entry that a size update evicted has no index any more", () => {
  const decoder = fieldDecoder();
  expect(decoder.decode(hex("40016101624001630164"), 0, 10)).toEqual(["a", "b", "c", "d"]);
  expect(decoder.decode(hex("bebf"), 0, 2)).toEqual(["c", "d", "a", "b"]);
  // 34 bytes are enough for one of the two.
  expect(decoder.decode(hex("3f03be"), 0, 3)).toEqual(["c", "d"]);
  expect(() => decoder.decode(hex("bf"), 0, 1)).toThrow(new HpackError("no field has the index 63"));
});

test("a field larger than the table empties it, and is read nevertheless", () => {
  const decoder = fieldDecoder({ tableBytes: 40 });
  expect(decoder.decode(hex("4001610162"), 0, 5)).toEqual(["a", "b"]);
  const large = Buffer.concat([hex("40016109"), Buffer.from("123456789")]);
  expect(decoder.decode(large, 0, large.length)).toEqual(["a", "123456789"]);
  expect(() => decoder.decode(hex("be"), 0, 1)).toThrow(HpackError);
});

test("fields that fill the table exactly stay in it", () => {
  const decoder = fieldDecoder({ tableBytes: 68 });
  decoder.decode(hex("40016101624001630164"), 0, 10);
  expect(decoder.decode(hex("bebf"), 0, 2)).toEqual(["c", "d", "a", "b"]);
});
