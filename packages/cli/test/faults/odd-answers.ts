import { gzipSync } from "node:zlib";

import type { FaultRow } from "./fault-row.ts";
import { answer, healthy, response } from "./server-script.ts";

const interim = (status: string): string => `HTTP/1.1 ${status}\r\nlink: </a.css>\r\n\r\n`;

/** Valid responses that follow interim ones. */
const interims: readonly FaultRow[] = [
  ["100 Continue that nobody asked for", interim("100 Continue")],
  ["early hints", interim("103 Early Hints").repeat(3)],
  [
    "all kinds of interim answers",
    interim("100 Continue") + interim("102 Processing") + interim("103 Early Hints"),
  ],
].map(([name = "", before = ""]) => ({
  name,
  rows: [15],
  script: [[...answer(before, response("final")), ...healthy]],
  outcome: { code: null, status: 200, text: "final" },
  next: "sameConnection",
}));

/** Bytes after a valid response: its connection is closed, and the next response must not contain them. */
const surplus: readonly FaultRow[] = (
  [
    ["a body after HEAD", "HEAD", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody", 200],
    ["a body after 204", "GET", "HTTP/1.1 204 No Content\r\n\r\nbody", 204],
    ["a body after 304", "GET", "HTTP/1.1 304 Not Modified\r\ncontent-length: 4\r\n\r\nbody", 304],
    ["a body longer than its length", "GET", `${response("ok")}and more`, 200],
    ["two answers to one request", "GET", response("ok") + response("evil"), 200],
  ] as const
).map(([name, method, bytes, status]) => ({
  name,
  rows: [16],
  script: [answer(bytes), healthy],
  request: { method },
  outcome: { code: null, status, errors: ["SURPLUS_BYTES"] },
  next: "newConnection",
}));

const unsolicited: readonly FaultRow[] = [
  {
    name: "an unsolicited response on an idle connection",
    rows: [18],
    script: [[...answer(response("ok")), { waitMs: 30 }, { write: response("evil") }], healthy],
    outcome: { code: null, status: 200, text: "ok", errors: [] },
    pauseMs: 100,
    errorsAfterPause: ["SURPLUS_BYTES"],
    next: "newConnection",
  },
];

const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
/** 1 GiB of zeros, as consecutive gzip members. */
const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));
const small = gzipSync("hello hello hello hello");

const encoded = (body: Uint8Array | string, coding: string): readonly (string | Uint8Array)[] => [
  `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`,
  body,
];

/** Bodies that cannot be decoded: the exchange succeeds, and only reading the body throws. */
const encodings: readonly FaultRow[] = (
  [
    ["a decompression bomb", encoded(bomb, "gzip"), /64 MiB|too large|longer|more than/i],
    ["a body that is not what its encoding says", encoded("plain text", "gzip"), /./],
    ["a truncated gzip", encoded(small.subarray(0, small.length - 9), "gzip"), /./],
  ] as const
).map(([name, writes, readError]) => ({
  name,
  rows: [14],
  script: [[...answer(...writes), ...healthy]],
  outcome: { code: null, status: 200, readError },
  next: "sameConnection",
}));

const redirect = (to: string, status = "302 Found"): string =>
  `HTTP/1.1 ${status}\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`;

const redirects: readonly FaultRow[] = [
  {
    name: "a redirect loop",
    rows: [21],
    script: [[{ times: 11, steps: answer(redirect("/")) }, ...healthy]],
    outcome: { code: "TOO_MANY_REDIRECTS", phase: "receiving", status: 302, started: 11, failed: 1 },
    next: "sameConnection",
  },
  {
    name: "a redirect past the limit",
    rows: [21],
    script: [[{ times: 3, steps: answer(redirect("/")) }, ...healthy]],
    request: { redirects: 2 },
    outcome: { code: "TOO_MANY_REDIRECTS", phase: "receiving", status: 302, started: 3, failed: 1 },
    next: "sameConnection",
  },
  {
    name: "a redirect to a host that the test does not name",
    rows: [21],
    script: [[...answer(redirect("http://elsewhere.example/")), ...healthy]],
    outcome: { code: "HOST_NOT_ALLOWED", phase: "receiving", status: 302, says: "allowHosts" },
    next: "sameConnection",
  },
  {
    name: "a POST redirected with its body",
    rows: [21],
    script: [[...answer(redirect("/", "307 Temporary Redirect")), ...answer(response("done")), ...healthy]],
    request: { method: "POST", bodyBytes: 5 },
    outcome: { code: null, status: 200, text: "done", started: 2 },
    next: "sameConnection",
  },
];

const cookies: readonly FaultRow[] = [
  ["a cookie of more than 4 KB", `set-cookie: a=${"x".repeat(5000)}`],
  ["a cookie for another domain", "set-cookie: a=1; domain=elsewhere.example"],
  ["a cookie for a public suffix", "set-cookie: a=1; domain=com"],
  ["a cookie that breaks the rules of its prefix __Host-", "set-cookie: __Host-a=1; path=/x"],
].map(([name = "", header = ""]) => ({
  name,
  rows: [38],
  script: [[...answer(`HTTP/1.1 200 OK\r\n${header}\r\ncontent-length: 0\r\n\r\n`), ...healthy]],
  outcome: { code: null, status: 200 },
  next: "sameConnection",
  nextLacks: /^cookie:/im,
}));

const manyCookies = Array.from({ length: 900 }, (_, index) => `set-cookie: c${index}=1\r\n`).join("");

export const oddAnswers: readonly FaultRow[] = [
  ...interims,
  ...surplus,
  ...unsolicited,
  ...encodings,
  ...redirects,
  ...cookies,
  {
    name: "a length that is given twice",
    rows: [12],
    script: [
      [...answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok"), ...healthy],
      healthy,
    ],
    outcome: { code: null, status: 200, text: "ok" },
    next: "sameConnection",
  },
  {
    name: "hundreds of cookies, of which a visitor keeps the last",
    rows: [38],
    script: [[...answer(`HTTP/1.1 200 OK\r\n${manyCookies}content-length: 0\r\n\r\n`), ...healthy]],
    outcome: { code: null, status: 200 },
    next: "sameConnection",
    nextLacks: /\bc5=1/,
  },
  {
    name: "markup and workflow commands in status and headers, which are data",
    rows: [39],
    script: [
      [
        ...answer("HTTP/1.1 200 ::error::<b>\r\nx: ::warning::<script>\r\ncontent-length: 0\r\n\r\n"),
        ...healthy,
      ],
    ],
    outcome: { code: null, status: 200 },
    next: "sameConnection",
  },
];
