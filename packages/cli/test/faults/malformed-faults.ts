import type { FaultRow } from "./fault-row.ts";
import { answer, healthy } from "./server-script.ts";

const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Responses that are not valid HTTP, each with a part of the reason. */
const malformed: readonly (readonly [name: string, bytes: string, reason: string])[] = [
  ["a chunk size that is not a number", `${chunked}zz\r\nx`, "chunk"],
  ["a negative chunk size", `${chunked}-1\r\nx\r\n0\r\n\r\n`, "chunk"],
  ["a chunk longer than its announced size", `${chunked}1\r\nxyz\r\n0\r\n\r\n`, "chunk"],
  ["an endless chunk size", `${chunked}${"0".repeat(10_000)}`, "chunk"],
  [
    "length and chunks",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n",
    "Content-Length and Transfer-Encoding",
  ],
  [
    "two lengths that differ",
    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
    "two Content-Lengths",
  ],
  ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", "Content-Length"],
  [
    "an absurdly large length",
    `HTTP/1.1 200 OK\r\ncontent-length: ${"9".repeat(30)}\r\n\r\n`,
    "Content-Length",
  ],
  ["a length in hexadecimal", "HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\nok", "Content-Length"],
  ["NUL in a header", "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n", "NUL"],
  ["a folded header", "HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 0\r\n\r\n", "folded"],
  ["bare line feeds", "HTTP/1.1 200 OK\ncontent-length: 0\n\n", "line feed"],
  ["HTTP/0.9", "<html>hello</html>\r\n\r\n", "status line"],
  ["a status below 100", "HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n", "status"],
  ["a status of four digits", "HTTP/1.1 1000 Odd\r\ncontent-length: 0\r\n\r\n", "status"],
  ["a status with a letter", "HTTP/1.1 2O0 Odd\r\ncontent-length: 0\r\n\r\n", "status"],
  ["HTTP/2 that was not requested", "HTTP/2 200 OK\r\ncontent-length: 0\r\n\r\n", "version"],
  [
    "garbage before the status line",
    "garbage\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    "status line",
  ],
  [
    "an empty line before the status line",
    "\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    "status line",
  ],
  ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "SSH-2.0"],
  ["a header without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 0\r\n\r\n", "header line"],
  ["a space before the colon", "HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\nok", "header line"],
  [
    "another transfer coding",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked",
  ],
  ["chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.0"],
  [
    "an escape sequence in the status line",
    "HTTP/1.1 200 \u001b[31mred\r\ncontent-length: 0\r\n\r\n",
    "\\u001b[31m",
  ],
  ["a workflow command", "x\r\n::error::pwned\r\n\r\n", "error"],
];

const headersTooLarge: readonly FaultRow[] = [
  {
    name: "an oversized header",
    rows: [13],
    script: [answer(`HTTP/1.1 200 OK\r\nx-bomb: ${"a".repeat(100_000)}\r\n\r\n`), healthy],
    outcome: { code: "HEADERS_TOO_LARGE", phase: "receiving", status: 0, says: "bytes" },
    next: "newConnection",
  },
  {
    name: "endless headers",
    rows: [13],
    script: [
      [
        ...answer("HTTP/1.1 200 OK\r\n"),
        { repeat: `x-more: ${"a".repeat(4000)}\r\n`, times: 1000, everyMs: 0 },
      ],
      healthy,
    ],
    outcome: { code: "HEADERS_TOO_LARGE", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "10,000 headers",
    rows: [13],
    script: [answer(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(10_000)}\r\n`), healthy],
    outcome: { code: "HEADERS_TOO_LARGE", phase: "receiving", status: 0, says: "headers" },
    next: "newConnection",
  },
];

const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n";

const interims: readonly FaultRow[] = [
  {
    name: "25 interim responses",
    rows: [15],
    script: [answer(interim.repeat(25)), healthy],
    outcome: { code: "TOO_MANY_INTERIM_RESPONSES", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "a protocol upgrade that nobody requested",
    rows: [15],
    script: [
      answer("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
      healthy,
    ],
    outcome: { code: "UPGRADE_REFUSED", phase: "receiving", status: 0 },
    next: "newConnection",
  },
];

export const malformedFaults: readonly FaultRow[] = [
  ...malformed.map(([name, bytes, reason]): FaultRow => ({
    name,
    rows: [12, 39],
    script: [answer(bytes), healthy],
    outcome: { code: "MALFORMED_RESPONSE", phase: "receiving", status: 0, says: reason },
    next: "newConnection",
  })),
  ...headersTooLarge,
  ...interims,
];
