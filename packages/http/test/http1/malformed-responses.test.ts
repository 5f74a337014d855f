import { describe, expect, test } from "vitest";

import { everywhere, readResponse, refusal } from "./read-response.ts";

const ok = "HTTP/1.1 200 OK\r\n";
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

const statusLine = "no HTTP status line";
const http2 = 'a frame of HTTP/2, not HTTP/1.1 (protocol: "h2c")';
const version = "another version than HTTP/1.0 or HTTP/1.1";
const status = "a status that is not a number from 100 to 999";
const headerLine = "a header line that is not a name, a colon and a value";
const control = "a control character in the head";
const noLength = "an invalid Content-Length";
const noSize = "a chunk size that is not a number";
const tooLong = "a chunk that is longer than its size";
const twoLengths = "two Content-Lengths that differ";
const otherCoding = "a Transfer-Encoding other than chunked";
const bareLine = "a line that ends in a bare line feed";
const carriageReturn = "a carriage return within a line";

/** Bytes that must not be accepted as HTTP, and the reason in the error. */
const heads: readonly (readonly [bytes: string, reason: string])[] = [
  ["<html>hello</html>\r\n\r\n", statusLine],
  ["SSH-2.0-OpenSSH_9.2\r\n", statusLine],
  ["\x15\x03\x01\x00\x02\x02\x50", statusLine],
  ["\r\nHTTP/1.1 200 OK\r\n\r\n", statusLine],
  [" HTTP/1.1 200 OK\r\n\r\n", statusLine],
  ["http/1.1 200 OK\r\n\r\n", statusLine],
  ["\nHTTP/1.1 200 OK\r\n\r\n", statusLine],
  ["\0\0\x06\x04\0\0\0\0\0\0\x04\0\x10\0\0", http2],
  ["HTTP/2 200\r\n\r\n", version],
  ["HTTP/1.2 200 OK\r\n\r\n", version],
  ["HTTP/1.10 200 OK\r\n\r\n", version],
  ["HTTP/0.9 200 OK\r\n\r\n", version],
  ["HTTP/1.1\t200 OK\r\n\r\n", version],
  ["HTTP/1.1\r\n\r\n", version],
  ["HTTP/1.1  200 OK\r\n\r\n", status],
  ["HTTP/1.1 099 Odd\r\n\r\n", status],
  ["HTTP/1.1 99 Odd\r\n\r\n", status],
  ["HTTP/1.1 1000 Odd\r\n\r\n", status],
  ["HTTP/1.1 2 OK\r\n\r\n", status],
  ["HTTP/1.1 200OK\r\n\r\n", status],
  ["HTTP/1.1 +20 OK\r\n\r\n", status],
  ["HTTP/1.1 OK\r\n\r\n", status],
  ["HTTP/1.1 200\tOK\r\n\r\n", status],
  ["HTTP/1.1 200 O\x07K\r\n\r\n", control],
  ["HTTP/1.1 200 O\x7fK\r\n\r\n", control],
  ["HTTP/1.1 200 \x1b[31mred\r\n\r\n", control],
  ["HTTP/1.1 200 O\0K\r\n\r\n", "a NUL byte in the head"],
  ["HTTP/1.1 200 O\rK\r\n\r\n", carriageReturn],
  ["HTTP/1.1 200 OK\nx: 1\n\n", bareLine],
  [`${ok}x: 1\n\r\n`, bareLine],
  [`${ok}x: 1\n\n`, bareLine],
  [`${ok}x: a\rb\r\n\r\n`, carriageReturn],
  [`${ok}x: a\r\r\n\r\n`, carriageReturn],
  [`${ok}x: a\0b\r\n\r\n`, "a NUL byte in the head"],
  [`${ok}x: a\x0bb\r\n\r\n`, control],
  [`${ok}x: a\x7fb\r\n\r\n`, control],
  [`${ok}x: a\r\n b\r\n\r\n`, "a folded header line"],
  [`${ok}x: a\r\n\tb\r\n\r\n`, "a folded header line"],
  [`${ok} x: a\r\n\r\n`, "a folded header line"],
  [`${ok}nonsense\r\n\r\n`, headerLine],
  [`${ok}: no name\r\n\r\n`, headerLine],
  [`${ok}x : 1\r\n\r\n`, headerLine],
  [`${ok}x y: 1\r\n\r\n`, headerLine],
  [`${ok}x(y): 1\r\n\r\n`, headerLine],
  [`${ok}\xe9: 1\r\n\r\n`, headerLine],
  [`${ok}"x": 1\r\n\r\n`, headerLine],
  [`${ok}content-length : 2\r\n\r\nok`, headerLine],
  [`${ok}content-length: -1\r\n\r\n`, noLength],
  [`${ok}content-length: +1\r\n\r\na`, noLength],
  [`${ok}content-length: 0x1\r\n\r\na`, noLength],
  [`${ok}content-length: 1.0\r\n\r\na`, noLength],
  [`${ok}content-length: 1e3\r\n\r\na`, noLength],
  [`${ok}content-length: 1 1\r\n\r\na`, noLength],
  [`${ok}content-length: 1, 1\r\n\r\na`, noLength],
  [`${ok}content-length: ten\r\n\r\na`, noLength],
  [`${ok}content-length:\r\n\r\na`, noLength],
  [`${ok}content-length: \xa01\r\n\r\na`, noLength],
  [`${ok}content-length: \xb2\r\n\r\nab`, noLength],
  [`${ok}content-length: ${"9".repeat(16)}\r\n\r\n`, noLength],
  [`${ok}content-length: 1\r\nContent-Length: 2\r\n\r\nab`, twoLengths],
  [`${ok}content-length: 2\r\ncontent-length: 2\r\ncontent-length: 1\r\n\r\nab`, twoLengths],
  [`${ok}content-length: 1\r\ncontent-length: 01\r\n\r\nab`, twoLengths],
  [
    `${ok}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`,
    "both Content-Length and Transfer-Encoding",
  ],
  [
    `${ok}Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello`,
    "both Content-Length and Transfer-Encoding",
  ],
  ["HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding in HTTP/1.0"],
  [`${ok}transfer-encoding: gzip, chunked\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: chunked, gzip\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: identity\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: xchunked\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: chunked\xa0\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: "chunked"\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding:\r\n\r\n`, otherCoding],
  [`${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`, otherCoding],
];

const bodies: readonly (readonly [bytes: string, reason: string])[] = [
  ["zz\r\nx", noSize],
  ["-1\r\nx\r\n", noSize],
  ["+1\r\nx\r\n", noSize],
  ["0x1\r\nx\r\n", noSize],
  [" 1\r\nx\r\n", noSize],
  ["1 1\r\nx\r\n", noSize],
  ["\r\n", noSize],
  [";extension\r\nx\r\n", noSize],
  ["1;\0\r\nx\r\n", noSize],
  ["1;\x1b[31m\r\nx\r\n", noSize],
  ["1\rx", noSize],
  ["12345678901234\r\nx", noSize],
  ["\x1f\x8b\x08", noSize],
  ["1\nx\r\n", "a chunk's line that ends in a bare line feed"],
  ["1;a\nx\r\n", "a chunk's line that ends in a bare line feed"],
  ["1\r\nxy\r\n0\r\n\r\n", tooLong],
  ["1\r\nx\n0\r\n\r\n", tooLong],
  ["1\r\nx\rx", tooLong],
  [`1\r\nx${"y".repeat(20_000)}`, tooLong],
  ["1\r\nx0\r\n\r\n", tooLong],
  ["0".repeat(5000), "a chunk's line that does not end"],
  [`1;${"a".repeat(5000)}\r\nx\r\n`, "a chunk's line that does not end"],
  ["0\r\nnonsense\r\n\r\n", "a trailer that is not a header"],
  ["0\r\nx : 1\r\n\r\n", "a trailer that is not a header"],
  ["0\r\nx: \x1b[31m\r\n\r\n", "a trailer that is not a header"],
  ["0\r\nx: 1\r\n folded\r\n\r\n", "a trailer that is not a header"],
  ["0\r\nx: 1\n\r\n", "a chunk's line that ends in a bare line feed"],
  [`0\r\nx: ${"a".repeat(20_000)}`, "a chunk's line that does not end"],
  [`0\r\n${`x: ${"a".repeat(100)}\r\n`.repeat(200)}\r\n`, "too many trailers"],
];

const all = [
  ...heads.map(([bytes, reason]) => ({ bytes, reason })),
  ...bodies.map(([bytes, reason]) => ({ bytes: chunked + bytes, reason })),
].map(({ bytes, reason }) => ({ shown: JSON.stringify(bytes.slice(0, 80)), bytes, reason }));

describe("a response that is not strictly HTTP/1.1 is refused with the reason", () => {
  test.each(all)("$shown: $reason", ({ bytes, reason }) => {
    const facts = refusal(bytes);
    expect(facts.kind).toBe("malformed");
    expect(facts.reason.startsWith(`${reason}; it began "`), facts.reason).toBe(true);
  });

  test.each(all)("$shown, also when it comes byte by byte", ({ bytes }) => {
    expect(refusal(bytes, { cuts: everywhere(bytes) }).kind).toBe("malformed");
  });

  test.each(heads.map(([bytes]) => ({ shown: JSON.stringify(bytes), bytes })))(
    "$shown, also for HEAD, and with a status that has no body",
    ({ bytes }) => {
      expect(refusal(bytes, { method: "HEAD" }).kind).toBe("malformed");
      expect(refusal(bytes.replace("200", "304")).kind).toBe("malformed");
    },
  );
});

test.each([
  ["HTTX", statusLine],
  ["<", statusLine],
  ["HTTP/1.2", version],
  ["HTTP/1.1 0", status],
  ["HTTP/1.1 20x", status],
  ["HTTP/1.1 200 OK\r\nx: 1\n", bareLine],
  ["HTTP/1.1 200 OK\n", bareLine],
  ["HTTP/1.1 200 OK\r\nx\0", "a NUL byte in the head"],
  [`${chunked}1z`, noSize],
  [`${chunked}1\r\nxy`, tooLong],
])("bytes that can no longer become a response are refused before more come: %j", (bytes, reason) => {
  expect(refusal(bytes).reason).toContain(reason);
  expect(refusal(bytes, { cuts: everywhere(bytes) }).reason).toContain(reason);
});

describe("the excerpt of a refused response", () => {
  test.each([
    ["\x1b[2J\x1b[31mHTTP", String.raw`"\u001b[2J\u001b[31mHTTP"`],
    ["a\r\n::error::pwned\r\n", String.raw`"a\r\n:\x3aerror:\x3apwned\r\n"`],
    ['"\\\t\0', String.raw`"\"\\\t\u0000"`],
    ["\x7f\x80\x9b\xe9\xff", String.raw`"\x7f\x80\x9b\xe9\xff"`],
    ["x".repeat(100), `"${"x".repeat(48)}"…`],
  ])("shows %j on one line, in quotes, with visible characters only", (bytes, shown) => {
    const { reason } = refusal(bytes);
    expect(reason).toBe(`no HTTP status line; it began ${shown}`);
    expect(reason).toMatch(/^[ -~…]+$/);
  });
});

describe("the limits of a response", () => {
  const large = (bytes: number): string =>
    `${ok}x: ${"a".repeat(bytes - ok.length - 3)}\r\n`.slice(0, bytes) + "\r\n\r\n";

  test("a head of 64 KiB is read, and one byte more is refused, however it is cut", () => {
    for (const cuts of [[], [10], [40_000, 60_000], [65_536], [65_538]]) {
      expect(readResponse(large(65_536), { cuts }).status).toBe(200);
      expect(refusal(large(65_537), { cuts })).toMatchObject({
        kind: "headersTooLarge",
        reason: expect.stringMatching(
          /^response headers of 655[34]\d bytes or more; the limit is 65536$/,
        ) as string,
      });
    }
  });

  test("a head without an end is refused when it is too large", () => {
    const endless = large(100_000).slice(0, 100_000);
    expect(refusal(endless, { cuts: [65_000] }).kind).toBe("headersTooLarge");
    expect(refusal(endless, { cuts: everywhere(endless) }).kind).toBe("headersTooLarge");
  });

  test("1,000 headers are read, and one more is refused", () => {
    expect(readResponse(`${ok}${"a:\r\n".repeat(1000)}\r\n`).headers).toHaveLength(2000);
    expect(refusal(`${ok}${"a:\r\n".repeat(1001)}\r\n`)).toEqual({
      kind: "headersTooLarge",
      reason: "more than 1000 headers",
    });
  });

  test("20 interim responses are skipped, and one more is refused", () => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const answer = `${ok}content-length: 0\r\n\r\n`;
    expect(readResponse(interim.repeat(20) + answer).status).toBe(200);
    expect(refusal(interim.repeat(21) + answer).kind).toBe("tooManyInterim");
  });

  test("a change of protocol is refused", () => {
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n";
    expect(refusal(upgrade)).toEqual({
      kind: "upgraded",
      reason: "it sent status 101, which the request did not ask for",
    });
  });
});
