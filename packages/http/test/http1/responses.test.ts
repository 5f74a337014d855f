import { describe, expect, test } from "vitest";

import { everywhere, readResponse, type ReadOptions } from "./read-response.ts";

const ok = "HTTP/1.1 200 OK\r\n";

interface Valid {
  readonly what: string;
  readonly bytes: string;
  readonly body?: string;
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly options?: ReadOptions;
  /** The number of bytes that follow the response. */
  readonly surplus?: number;
}

const chunked = (body: string): string => `${ok}transfer-encoding: chunked\r\n\r\n${body}`;
const lengthOf2 = `${ok}content-length: 2\r\n\r\nok`;

const valid: readonly Valid[] = [
  { what: "a length", bytes: lengthOf2, body: "ok", headers: ["content-length", "2"] },
  { what: "no reason phrase", bytes: "HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n" },
  { what: "no space for a reason phrase", bytes: "HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n" },
  {
    what: "a reason phrase of any bytes",
    bytes: "HTTP/1.1 200 \t\xc3\xa9t\xe9 \r\ncontent-length: 0\r\n\r\n",
  },
  { what: "an unknown status", bytes: "HTTP/1.1 599 ?\r\ncontent-length: 0\r\n\r\n", status: 599 },
  { what: "no header", bytes: `${ok}\r\nuntil the end`, body: "until the end", options: { ends: true } },
  { what: "no header and no body", bytes: `${ok}\r\n`, options: { ends: true } },
  {
    what: "names in any case, in the order in which they came",
    bytes: `${ok}CONTENT-LENGTH: 2\r\nX-a: 1\r\nx-A: 2\r\n\r\nok`,
    body: "ok",
    headers: ["CONTENT-LENGTH", "2", "X-a", "1", "x-A", "2"],
  },
  {
    what: "values that are empty, or only space",
    bytes: `${ok}a:\r\nb: \r\nc:\t \t\r\ncontent-length: 0\r\n\r\n`,
    headers: ["a", "", "b", "", "c", "", "content-length", "0"],
  },
  {
    what: "spaces and tabs around values",
    bytes: `${ok}a:b\r\nc: \t d  e \t\r\ncontent-length:\t2 \r\n\r\nok`,
    body: "ok",
    headers: ["a", "b", "c", "d  e", "content-length", "2"],
  },
  {
    what: "bytes from 0x80 in values, no-break spaces included",
    bytes: `${ok}a: \xa0\xff\x85\xa0\r\ncontent-length: 0\r\n\r\n`,
    headers: ["a", "\xa0\xff\x85\xa0", "content-length", "0"],
  },
  {
    what: "every character that a name may have",
    bytes: `${ok}!#$%&'*+-.^_\`|~09azAZ: ::\r\ncontent-length: 0\r\n\r\n`,
    headers: ["!#$%&'*+-.^_`|~09azAZ", "::", "content-length", "0"],
  },
  {
    what: "the same length twice",
    bytes: `${ok}content-length: 2\r\nContent-Length:2\r\n\r\nok`,
    body: "ok",
  },
  { what: "zeros before a length", bytes: `${ok}content-length: ${"0".repeat(30)}2\r\n\r\nok`, body: "ok" },
  { what: "bytes behind a length", bytes: `${lengthOf2}more`, body: "ok", surplus: 4 },
  { what: "chunks", bytes: chunked("2\r\nok\r\n1\r\n!\r\n0\r\n\r\n"), body: "ok!" },
  { what: "no chunk but the last", bytes: chunked("0\r\n\r\n") },
  {
    what: "zeros before a chunk's size",
    bytes: chunked(`${"0".repeat(20)}2\r\nok\r\n000\r\n\r\n`),
    body: "ok",
  },
  {
    what: "sizes in capitals",
    bytes: chunked(`A\r\n${"a".repeat(10)}\r\n1F\r\n${"b".repeat(31)}\r\n0\r\n\r\n`),
    body: "a".repeat(10) + "b".repeat(31),
  },
  { what: "sizes padded with spaces", bytes: chunked("2   \r\nok\r\n0 \r\n\r\n"), body: "ok" },
  { what: "extensions of chunks", bytes: chunked('2;a=b;c="d e"\r\nok\r\n0 ; last\r\n\r\n'), body: "ok" },
  {
    what: "trailers",
    bytes: chunked("2\r\nok\r\n0\r\nx-a: 1\r\nContent-Length: 9\r\nempty:\r\n\r\n"),
    body: "ok",
    headers: ["transfer-encoding", "chunked"],
  },
  { what: "line ends within chunks", bytes: chunked("4\r\n\r\n\r\n\r\n0\r\n\r\n"), body: "\r\n\r\n" },
  { what: "bytes behind chunks", bytes: chunked("0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"), surplus: 19 },
  {
    what: "a coding in any case",
    bytes: `${ok}Transfer-Encoding: \tChunked \r\n\r\n1\r\na\r\n0\r\n\r\n`,
    body: "a",
  },
  { what: "HTTP/1.0 with a length", bytes: "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", body: "ok" },
  { what: "HTTP/1.0 until the end", bytes: "HTTP/1.0 200 OK\r\n\r\nok", body: "ok", options: { ends: true } },
  { what: "100 before the final response", bytes: `HTTP/1.1 100 Continue\r\n\r\n${lengthOf2}`, body: "ok" },
  {
    what: "several interim responses before the final one",
    bytes: `HTTP/1.1 100\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\ncontent-length: 5\r\n\r\n${lengthOf2}`,
    body: "ok",
    headers: ["content-length", "2"],
  },
  ...[600, 999].map((status) => ({
    what: `a status of no class: ${status}`,
    bytes: `HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\nok`,
    status,
    body: "ok",
  })),
  ...[204, 304].flatMap((status) =>
    ["content-length: 5", "transfer-encoding: chunked", "x: y"].map((header) => ({
      what: `${status} with ${header}`,
      bytes: `HTTP/1.1 ${status} -\r\n${header}\r\n\r\nhello`,
      status,
      surplus: 5,
    })),
  ),
  ...["content-length: 5", "transfer-encoding: chunked", "x: y"].map((header) => ({
    what: `the response to HEAD with ${header}`,
    bytes: `${ok}${header}\r\n\r\nhello`,
    options: { method: "HEAD" },
    surplus: 5,
  })),
];

describe("a valid HTTP/1.1 response is read", () => {
  test.each(valid)("$what", ({ bytes, body = "", status = 200, headers, options = {}, surplus = 0 }) => {
    const read = readResponse(bytes, options);
    expect(read).toMatchObject({ status, body, isComplete: true, taken: bytes.length - surplus });
    if (headers !== undefined) expect(read.headers).toEqual(headers);
    expect(readResponse(bytes, { ...options, cuts: everywhere(bytes) })).toEqual(read);
  });
});

describe("a response is not complete", () => {
  test.each(valid.filter(({ options }) => options?.ends !== true))(
    "before its last byte: $what",
    ({ bytes, options = {}, surplus = 0 }) => {
      const whole = bytes.slice(0, bytes.length - surplus);
      for (let end = 0; end < whole.length; end++) {
        const part = readResponse(whole.slice(0, end), { ...options, ends: true });
        expect(part).toMatchObject({ isComplete: false, taken: end });
      }
    },
  );

  test("if the connection ends within the head, even if its end would be the end of the body", () => {
    for (let end = 0; end < ok.length + 2; end++)
      expect(readResponse(`${ok}\r\n`.slice(0, end), { ends: true }).isComplete).toBe(false);
  });
});
