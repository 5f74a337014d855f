/** The examples of RFC 7541, appendix C: each with the section that it is from. */
import { describe, expect, test } from "vitest";

import { BlockReader } from "../../src/hpack/block-reader.ts";
import { HpackEncoder } from "../../src/hpack/hpack-encoder.ts";
import { decodeBlock, fieldDecoder, hex } from "./decode.ts";
import { encodeBlock } from "./encode.ts";

test.each([
  { section: "C.1.1", bytes: "ea", prefixBits: 5, value: 10 },
  { section: "C.1.2", bytes: "1f9a0a", prefixBits: 5, value: 1337 },
  { section: "C.1.3", bytes: "2a", prefixBits: 8, value: 42 },
])("$section: an integer", ({ bytes, prefixBits, value }) => {
  const reader = new BlockReader(hex(bytes), 0, bytes.length / 2);
  expect(reader.integer(prefixBits)).toBe(value);
  expect(reader.isAtEnd).toBe(true);
});

test.each([
  {
    section: "C.2.1",
    kind: "inserted",
    block: "400a637573746f6d2d6b65790d637573746f6d2d686561646572",
    field: ["custom-key", "custom-header"],
  },
  {
    section: "C.2.2",
    kind: "without indexing",
    block: "040c2f73616d706c652f70617468",
    field: [":path", "/sample/path"],
  },
  {
    section: "C.2.3",
    kind: "never indexed",
    block: "100870617373776f726406736563726574",
    field: ["password", "secret"],
  },
  { section: "C.2.4", kind: "indexed", block: "82", field: [":method", "GET"] },
])("$section: a field, $kind", ({ block, field }) => {
  expect(decodeBlock(hex(block))).toEqual(field);
});

const requests = [
  [":method", "GET", ":scheme", "http", ":path", "/", ":authority", "www.example.com"],
  [
    ":method",
    "GET",
    ":scheme",
    "http",
    ":path",
    "/",
    ":authority",
    "www.example.com",
    "cache-control",
    "no-cache",
  ],
  [
    ":method",
    "GET",
    ":scheme",
    "https",
    ":path",
    "/index.html",
    ":authority",
    "www.example.com",
    "custom-key",
    "custom-value",
  ],
];

const plainRequests = [
  "828684410f7777772e6578616d706c652e636f6d",
  "828684be58086e6f2d6361636865",
  "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
];

const huffmanRequests = [
  "828684418cf1e3c2e5f23a6ba0ab90f4ff",
  "828684be5886a8eb10649cbf",
  "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
];

const date = "Mon, 21 Oct 2013 20:13:21 GMT";
const location = "https://www.example.com";
const responses = [
  [":status", "302", "cache-control", "private", "date", date, "location", location],
  [":status", "307", "cache-control", "private", "date", date, "location", location],
  [
    ":status",
    "200",
    "cache-control",
    "private",
    "date",
    "Mon, 21 Oct 2013 20:13:22 GMT",
    "location",
    location,
    "content-encoding",
    "gzip",
    "set-cookie",
    "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
  ],
];

const plainResponses = [
  `4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d54
   6e1768747470733a2f2f7777772e6578616d706c652e636f6d`,
  "4803333037c1c0bf",
  `88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f
   3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b20766572
   73696f6e3d31`,
];

const huffmanResponses = [
  `488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8
   e9ae82ae43d3`,
  "4883640effc1c0bf",
  `88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b
   3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007`,
];

describe.each([
  { section: "C.3", blocks: plainRequests, lists: requests, tableBytes: 4096 },
  { section: "C.4", blocks: huffmanRequests, lists: requests, tableBytes: 4096 },
  { section: "C.5", blocks: plainResponses, lists: responses, tableBytes: 256 },
  { section: "C.6", blocks: huffmanResponses, lists: responses, tableBytes: 256 },
])("$section", ({ blocks, lists, tableBytes }) => {
  test("three blocks of one connection decode as printed", () => {
    const decoder = fieldDecoder({ tableBytes });
    expect(blocks.map(hex).map((block) => decoder.decode(block, 0, block.length))).toEqual(lists);
  });
});

test("C.4: the encoder writes the same blocks", () => {
  const encoder = new HpackEncoder();
  const blocks = requests.map((fields) => encodeBlock(encoder, fields).toString("hex"));
  expect(blocks).toEqual(huffmanRequests);
});

test("C.6: the encoder writes the same blocks, after the announcement of the smaller table", () => {
  const encoder = new HpackEncoder();
  encoder.allowTable(256);
  const [first, , third] = responses.map((fields) => encodeBlock(encoder, fields));
  expect(first).toEqual(Buffer.concat([hex("3fe101"), hex(huffmanResponses[0]!)]));
  // Not the second: it has "307" with Huffman's code, which takes as many bytes as without.
  expect(third).toEqual(hex(huffmanResponses[2]!));
});
