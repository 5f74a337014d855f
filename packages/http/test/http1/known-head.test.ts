import { expect, test } from "vitest";

import { SharedReader } from "../../src/net/shared-reader.ts";
import { KnownHead, readResponseHead } from "../../src/http1/response-head.ts";
import { readResponse } from "./read-response.ts";

const headOf = (lines: string): string => `HTTP/1.1 200 OK\r\ncontent-length: 5\r\n${lines}\r\n`;

/** Returns a cache that has stored a head as a response to GET. */
function knowing(text: string): KnownHead {
  const known = new KnownHead();
  const bytes = Buffer.from(`${text}body`, "latin1");
  known.keep(bytes, text.length, "GET", readResponseHead(text.slice(0, -2), "GET"));
  bytes.fill(0);
  return known;
}

test("a head with the same bytes is found again as the same object", () => {
  const text = headOf("date: Mon, 23 Nov 2026 01:00:00 GMT\r\n");
  const known = knowing(text);
  expect(known.length).toBe(text.length);
  const head = known.find(Buffer.from(text), "GET");
  expect(head?.rawHeaders()).toEqual(["content-length", "5", "date", "Mon, 23 Nov 2026 01:00:00 GMT"]);
  expect(known.find(Buffer.from(`${text}other`), "GET")).toBe(head);
});

test.each([
  ["nothing is stored", new KnownHead(), headOf("")],
  ["a byte differs", knowing(headOf("x: a\r\n")), headOf("x: b\r\n")],
  ["it is longer", knowing(headOf("")), headOf("x: a\r\n")],
  ["its end has not come", knowing(headOf("x: a\r\n")), headOf("x: a\r\n").slice(0, -1)],
  [
    "it was too long to keep",
    knowing(headOf(`x: ${"a".repeat(4096)}\r\n`)),
    headOf(`x: ${"a".repeat(4096)}\r\n`),
  ],
])("a head is not found if %s", (_why, known, text) => {
  expect(known.find(Buffer.from(text), "GET")).toBeNull();
});

test("in the memory that connections share, a head is found if all of its bytes are the same, and only then", () => {
  const reader = new SharedReader();
  for (const rest of ["", "x: a\r\n", "x: ab\r\n", "x: abc\r\n"]) {
    const text = headOf(rest);
    const known = knowing(text);
    const findIn = (received: string) => {
      let found: ReturnType<typeof known.find> = null;
      reader.receiver = {
        onBytes: (bytes) => {
          found = known.find(bytes, "GET");
        },
      };
      reader.callback(reader.buffer.write(received, "latin1"));
      return found;
    };
    expect(findIn(`${text}hello`)).not.toBeNull();
    expect(findIn(text)).not.toBeNull();
    for (let at = 0; at < text.length; at++)
      expect(findIn(`${text.slice(0, at)}~${text.slice(at + 1)}hello`), `byte ${at}`).toBeNull();
  }
});

test("a response to HEAD has no body, although its head equals that of GET", () => {
  const known = new KnownHead();
  const text = `${headOf("")}hello`;
  const both = () => [
    readResponse(text, { known, method: "GET" }).body,
    readResponse(text, { known, method: "HEAD" }).body,
  ];
  expect(both()).toEqual(["hello", ""]);
  expect(both()).toEqual(["hello", ""]);
});

test("an interim response is never taken for the final one", () => {
  const known = new KnownHead();
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n";
  for (let count = 0; count < 2; count++) {
    const read = readResponse(`${interim}${headOf("")}hello`, { known });
    expect(read).toMatchObject({ status: 200, body: "hello", headers: ["content-length", "5"] });
  }
  expect(readResponse(interim, { known })).toMatchObject({ status: null, isComplete: false });
});
