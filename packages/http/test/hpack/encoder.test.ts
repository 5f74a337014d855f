import { expect, test } from "vitest";

import { HpackEncoder } from "../../src/hpack/hpack-encoder.ts";
import { fieldDecoder, hex } from "./decode.ts";
import { encodeBlock } from "./encode.ts";

test("the same array is written with indexes from its second time on", () => {
  const encoder = new HpackEncoder();
  const fields = [":method", "GET", ":path", "/users", "accept", "*/*", "x-tenant", "blue"];
  const lengths = [1, 2, 3, 4].map(() => encodeBlock(encoder, fields).length);
  // An index each for three fields, and the path as a literal.
  expect(lengths).toEqual([25, 10, 10, 10]);
});

test("a repeated array is encoded again after another one has changed the table", () => {
  const encoder = new HpackEncoder();
  const decoder = fieldDecoder();
  const first = ["accept", "*/*", "x-tenant", "blue"];
  const second = ["accept", "text/html", "x-tenant", "red"];
  for (const fields of [first, first, first, second, first, first, second, second, second]) {
    const block = encodeBlock(encoder, fields);
    expect(decoder.decode(block, 0, block.length)).toEqual(fields);
  }
});

test.each([
  { field: ["authorization", "Bearer 0123456789012345678901234567890"], static: 23 },
  { field: ["proxy-authorization", "Basic YTpi"], static: 49 },
  { field: ["cookie", "pin=1234"], static: 32 },
])("$field.0 is never indexed", ({ field, static: index }) => {
  const encoder = new HpackEncoder();
  for (let time = 0; time < 2; time++) {
    const block = encodeBlock(encoder, field);
    expect(block.subarray(0, 2)).toEqual(Buffer.from([0x1f, index - 15]));
  }
});

test("a long cookie is indexed", () => {
  const encoder = new HpackEncoder();
  const fields = ["cookie", "session=0123456789abcdef0123456789abcdef"];
  encodeBlock(encoder, fields);
  expect(encodeBlock(encoder, fields)).toEqual(hex("be"));
});

test.each([":path", "content-length", "if-none-match", "if-modified-since", "range"])(
  "%s, which is different in each request, takes no room in the table",
  (name) => {
    const encoder = new HpackEncoder();
    encodeBlock(encoder, ["x-tenant", "blue"]);
    for (let count = 0; count < 200; count++) encodeBlock(encoder, [name, `/${count}`]);
    expect(encodeBlock(encoder, ["x-tenant", "blue"])).toEqual(hex("be"));
  },
);

test("a table that the peer forbids is announced as empty once, and not used", () => {
  const encoder = new HpackEncoder();
  const fields = ["x-tenant", "blue"];
  for (let time = 0; time < 3; time++) encodeBlock(encoder, fields);
  encoder.allowTable(0);
  const [announcing, ...later] = [1, 2, 3].map(() => encodeBlock(encoder, fields));
  expect(announcing![0]).toBe(0x20);
  expect(later).toEqual([announcing!.subarray(1), announcing!.subarray(1)]);
  expect(fieldDecoder({ tableBytes: 0 }).decode(later[0]!, 0, later[0]!.length)).toEqual(fields);
});

test("a table that shrank and grew between two blocks is announced with both sizes", () => {
  const encoder = new HpackEncoder();
  encodeBlock(encoder, ["x-tenant", "blue"]);
  encoder.allowTable(100);
  encoder.allowTable(2000);
  const block = encodeBlock(encoder, [":method", "GET"]);
  expect(block).toEqual(Buffer.concat([hex("3f45"), hex("3fb10f"), hex("82")]));
  expect(encodeBlock(encoder, [":method", "GET"])).toEqual(hex("82"));
});

test("a table larger than the default is not used", () => {
  const encoder = new HpackEncoder();
  encoder.allowTable(1_000_000);
  expect(encodeBlock(encoder, [":method", "GET"])).toEqual(hex("82"));
});

test("text that Huffman's code makes longer is written as it is", () => {
  const block = encodeBlock(new HpackEncoder(), ["x-odd", "\x00\xff\x01"]);
  expect(block.subarray(-4)).toEqual(hex("0300ff01"));
});

test("a field that the table cannot hold evicts nothing from it", () => {
  const encoder = new HpackEncoder();
  encodeBlock(encoder, ["x-tenant", "blue"]);
  encodeBlock(encoder, ["x-large", "v".repeat(4096)]);
  expect(encodeBlock(encoder, ["x-tenant", "blue"])).toEqual(hex("be"));
});

test("an array larger than the table is decoded each time it comes", () => {
  const encoder = new HpackEncoder();
  const decoder = fieldDecoder();
  const fields = ["x-one", "1".repeat(3000), "x-two", "2".repeat(3000)];
  for (let time = 0; time < 5; time++) {
    const block = encodeBlock(encoder, fields);
    expect(decoder.decode(block, 0, block.length)).toEqual(fields);
  }
});
