import type { FaultRow } from "./fault-row.ts";
import { shortTimeout } from "./fault-row.ts";
import { answer, healthy, response } from "./server-script.ts";

const timeout = shortTimeout;
const endless = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n";
const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;

/** Responses that take too long or do not end, and requests that the server does not read. */
export const slowFaults: readonly FaultRow[] = [
  {
    name: "a server that reads the request and sends nothing",
    rows: [8],
    script: [["waitForRequest"], healthy],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "a half-open peer, which neither reads nor answers",
    rows: [8],
    script: [["stopReading"], healthy],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "a half-open peer that is sent a large body",
    rows: [8],
    script: [["stopReading"], healthy],
    request: { timeout, method: "POST", bodyBytes: 16 * 1024 * 1024 },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "sending", status: 0, says: "did not read" },
    next: "newConnection",
  },
  {
    name: "no first byte within its timeout",
    rows: [8],
    script: [["waitForRequest"], healthy],
    request: { timeout: { firstByte: timeout, whole: "20s" } },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "waiting", status: 0, says: "timeout.firstByte" },
    next: "newConnection",
  },
  {
    name: "a head that drips",
    rows: [7],
    script: [[...answer("HTTP/1.1 200 OK\r\n"), { repeat: "x: y\r\n", times: 1000, everyMs: 10 }], healthy],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "a body that drips",
    rows: [7],
    script: [
      [
        ...answer("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"),
        { repeat: "x", times: 1000, everyMs: 10 },
      ],
      healthy,
    ],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "a stall in the body",
    rows: [7],
    script: [[...answer("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf")], healthy],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0, says: "4 bytes of the body" },
    next: "newConnection",
  },
  {
    name: "an endless body",
    rows: [9],
    script: [[...answer(`${endless}\r\n`), { repeat: chunk, times: 1_000_000, everyMs: 1 }], healthy],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0, says: "looks like a stream" },
    next: "newConnection",
  },
  {
    name: "an event stream",
    rows: [9],
    script: [
      [
        ...answer(`${endless}content-type: text/event-stream\r\n\r\n`),
        { repeat: "6\r\ndata\n\n\r\n", times: 100, everyMs: 50 },
      ],
      healthy,
    ],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0, says: "looks like a stream" },
    next: "newConnection",
  },
  {
    name: "an endless body without a length",
    rows: [9],
    script: [
      [...answer("HTTP/1.1 200 OK\r\n\r\n"), { repeat: chunk, times: 1_000_000, everyMs: 1 }],
      healthy,
    ],
    request: { timeout },
    outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "a body larger than its limit",
    rows: [9],
    script: [[...answer(`${endless}\r\n`), { repeat: chunk, times: 1_000_000, everyMs: 0 }], healthy],
    request: { maxBodySize: 1_000_000 },
    outcome: { code: "BODY_TOO_LARGE", phase: "receiving", status: 0, says: "maxBodySize" },
    next: "newConnection",
  },
  {
    name: "a request that its own signal aborts",
    rows: [8],
    script: [["waitForRequest"], healthy],
    request: { abortAfterMs: 100 },
    outcome: { code: "REQUEST_ABORTED", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "a response before the body was sent, and the end",
    rows: [17],
    script: [
      [
        "waitForRequest" as const,
        "stopReading" as const,
        { write: "HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" },
        { waitMs: 50 },
        "end",
      ],
      healthy,
    ],
    request: { method: "POST", bodyBytes: 16 * 1024 * 1024 },
    outcome: { code: null, status: 413, errors: ["HTTP_413"], failed: 1, says: "upload aborted" },
    next: "newConnection",
  },
  {
    name: "a success before the body was sent",
    rows: [17],
    script: [["waitForRequest" as const, "stopReading" as const, { write: response("ok") }], healthy],
    request: { method: "POST", bodyBytes: 16 * 1024 * 1024 },
    outcome: { code: null, status: 200, text: "ok", errors: ["UPLOAD_ABORTED"] },
    next: "newConnection",
  },
  {
    name: "a response before the body was sent, and a reset",
    rows: [17],
    script: [
      [
        "waitForRequest" as const,
        "stopReading" as const,
        { write: response("", "HTTP/1.1 413 Content Too Large") },
        // A reset discards unread bytes, and on a busy machine the client reads late.
        { waitMs: 2000 },
        "reset",
      ],
      healthy,
    ],
    request: { method: "POST", bodyBytes: 16 * 1024 * 1024 },
    outcome: { code: null, status: 413, errors: ["HTTP_413"], failed: 1 },
    next: "newConnection",
  },
];
