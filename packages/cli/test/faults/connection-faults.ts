import type { FaultRow } from "./fault-row.ts";
import { shortTimeout } from "./fault-row.ts";
import { answer, healthy, response, type Step } from "./server-script.ts";

const half = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf of it";
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const later: Step = { waitMs: 30 };

/** Connections that do not open. */
const unopened: readonly FaultRow[] = [
  {
    name: "refused",
    rows: [1],
    reach: { by: "closedPort" },
    outcome: { code: "CONNECTION_REFUSED", phase: "connecting", status: 0, sent: 0, says: "127.0.0.1" },
    next: null,
  },
  {
    name: "a full listen backlog",
    rows: [2],
    reach: { by: "fullBacklog" },
    request: { timeout: { connect: shortTimeout, whole: "5s" } },
    outcome: { code: "CONNECT_TIMEOUT", phase: "connecting", status: 0, sent: 0, says: "timeout.connect" },
    next: null,
  },
  {
    name: "no such name",
    rows: [10],
    reach: { by: "name", answer: "NXDOMAIN" },
    outcome: { code: "DNS_NOT_FOUND", phase: "lookingUp", status: 0, sent: 0, says: "shop.example" },
    next: null,
  },
  {
    name: "a name server that fails",
    rows: [10],
    reach: { by: "name", answer: "SERVFAIL" },
    outcome: { code: "DNS_FAILED", phase: "lookingUp", status: 0, sent: 0, says: "shop.example" },
    next: null,
  },
  {
    name: "a name server that refuses",
    rows: [10],
    reach: { by: "name", answer: "REFUSED" },
    outcome: { code: "DNS_FAILED", phase: "lookingUp", status: 0, sent: 0 },
    next: null,
  },
  {
    name: "a name server that does not answer",
    rows: [10],
    reach: { by: "name", answer: "silence" },
    request: { timeout: shortTimeout },
    outcome: { code: "DNS_TIMEOUT", phase: "lookingUp", status: 0, sent: 0 },
    next: null,
  },
  {
    name: "an expired certificate",
    rows: [11],
    reach: { by: "tls", certificate: "expired" },
    outcome: { code: "TLS_CERT_EXPIRED", phase: "tlsHandshaking", status: 0, sent: 0, says: "tls." },
    next: null,
  },
  {
    name: "a self-signed certificate",
    rows: [11],
    reach: { by: "tls", certificate: "selfSigned" },
    outcome: { code: "TLS_CERT_SELF_SIGNED", phase: "tlsHandshaking", status: 0, sent: 0, says: "tls.ca" },
    next: null,
  },
  {
    name: "a certificate for another host",
    rows: [11],
    reach: { by: "tls", certificate: "wrongHost" },
    outcome: {
      code: "TLS_CERT_WRONG_HOST",
      phase: "tlsHandshaking",
      status: 0,
      sent: 0,
      says: "not for 127.0.0.1, but for DNS:elsewhere.example",
    },
    next: null,
  },
  {
    name: "HTTP/2 required of a server without ALPN",
    rows: [11],
    reach: { by: "tls", certificate: "good" },
    http: { protocol: "http2" },
    outcome: { code: "TLS_ALPN_MISMATCH", phase: "tlsHandshaking", status: 0, sent: 0, says: "protocol" },
    next: null,
  },
];

/** Connections that end before the response is complete. */
const broken: readonly FaultRow[] = [
  {
    name: "reset before the head",
    rows: [3],
    script: [["waitForRequest", "reset"], healthy],
    outcome: { code: "CONNECTION_RESET", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "closed before the head",
    rows: [3],
    script: [["waitForRequest", "end"], healthy],
    outcome: { code: "CONNECTION_CLOSED", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "reset in the head",
    rows: [3],
    script: [[...answer("HTTP/1.1 200 OK\r\nx-a: b\r\n"), later, "reset"], healthy],
    outcome: { code: "CONNECTION_RESET", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "closed in the head",
    rows: [5],
    script: [[...answer("HTTP/1.1 200 OK\r\ncontent-le"), later, "end"], healthy],
    outcome: { code: "RESPONSE_TRUNCATED", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "reset in the body",
    rows: [4],
    script: [[...answer(half), later, "reset"], healthy],
    outcome: { code: "CONNECTION_RESET", phase: "receiving", status: 0, says: "10 bytes of the body" },
    next: "newConnection",
  },
  {
    name: "reset in a body without a length",
    rows: [4],
    script: [[...answer("HTTP/1.1 200 OK\r\n\r\nhalf of it"), later, "reset"], healthy],
    outcome: { code: "CONNECTION_RESET", phase: "receiving", status: 0, says: "10 bytes of the body" },
    next: "newConnection",
  },
  {
    name: "closed before the announced length",
    rows: [5],
    script: [[...answer(half), later, "end"], healthy],
    outcome: { code: "RESPONSE_TRUNCATED", phase: "receiving", status: 0, says: "10 bytes of the body" },
    next: "newConnection",
  },
  {
    name: "closed within a chunk",
    rows: [5],
    script: [[...answer(`${chunked}10\r\nhalf`), later, "end"], healthy],
    outcome: { code: "RESPONSE_TRUNCATED", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "closed before the last chunk",
    rows: [5],
    script: [[...answer(`${chunked}4\r\nhalf\r\n`), later, "end"], healthy],
    outcome: { code: "RESPONSE_TRUNCATED", phase: "receiving", status: 0 },
    next: "newConnection",
  },
  {
    name: "a TLS connection closed before the head",
    rows: [3, 11],
    reach: { by: "tls", certificate: "good" },
    script: [["waitForRequest", "end"], healthy],
    outcome: { code: "CONNECTION_CLOSED", phase: "waiting", status: 0 },
    next: "newConnection",
  },
  {
    name: "a TLS connection closed in the body",
    rows: [5, 11],
    reach: { by: "tls", certificate: "good" },
    script: [[...answer(half), later, "end"], healthy],
    outcome: { code: "RESPONSE_TRUNCATED", phase: "receiving", status: 0 },
    next: "newConnection",
  },
];

const answerOnce = answer(response("warm"));

/** Kept-alive connections that end while idle or when they are used again. */
const stale: readonly FaultRow[] = [
  ...(["end", "reset"] as const).map(
    (how) =>
      ({
        name: `keep-alive ended at reuse (${how})`,
        rows: [6],
        script: [[...answerOnce, "waitForRequest", how], healthy],
        isWarm: true,
        outcome: { code: "STALE_CONNECTION", phase: "waiting", status: 0, says: "retryOnStaleConnection" },
        next: "newConnection",
      }) satisfies FaultRow,
  ),
  {
    name: "keep-alive ended at reuse, and a request that allows a retry",
    rows: [6],
    script: [[...answerOnce, "waitForRequest", "end"], healthy],
    isWarm: true,
    request: { retryOnStaleConnection: true },
    outcome: { code: null, status: 200, text: "next", started: 2, failed: 1, errors: ["STALE_CONNECTION"] },
    next: "sameConnection",
  },
  {
    name: "keep-alive ended at reuse by a POST, which is never retried",
    rows: [6],
    script: [[...answerOnce, "waitForRequest", "end"], healthy],
    isWarm: true,
    request: { method: "POST", bodyBytes: 10, retryOnStaleConnection: true },
    outcome: { code: "STALE_CONNECTION", phase: "waiting", status: 0, started: 1 },
    next: "newConnection",
  },
  {
    name: "keep-alive ended while idle",
    rows: [6],
    script: [[...answerOnce, "end"], healthy],
    isWarm: true,
    pauseMs: 50,
    outcome: { code: null, status: 200, text: "next", errors: [] },
    next: "sameConnection",
  },
];

const restarted: readonly FaultRow[] = [
  {
    name: "a server that restarts",
    rows: [20],
    script: [[...answerOnce, "waitForRequest", { restartAfterMs: 30 }], healthy],
    isWarm: true,
    outcome: { code: "STALE_CONNECTION", phase: "waiting", status: 0 },
    pauseMs: 300,
    next: "newConnection",
  },
];

export const connectionFaults: readonly FaultRow[] = [...unopened, ...broken, ...stale, ...restarted];
