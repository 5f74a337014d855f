import {
  BodyTooLarge,
  RequestAborted,
  RequestTimeout,
  Unanswered,
} from "../../src/failures/request-stopped.ts";
import { TransportFailure, type TransportFailureInfo } from "../../src/failures/transport-failure.ts";
import { openingFailures, system, type FailureRow } from "./opening-failures.ts";

function transport(facts: TransportFailureInfo): TransportFailure {
  return new TransportFailure(facts);
}

const closed = transport({ kind: "closed", reason: "the connection was closed" });
const whole = new RequestTimeout("whole", 1500);

const lost: readonly FailureRow[] = (
  [
    ["closed as it was opened", closed, "connecting", false, "CONNECTION_CLOSED"],
    ["closed in the handshake", closed, "tlsHandshaking", false, "CONNECTION_CLOSED"],
    ["reset in the handshake", system("ECONNRESET"), "tlsHandshaking", false, "CONNECTION_RESET"],
    ["closed on a fresh connection", closed, "waiting", false, "CONNECTION_CLOSED"],
    ["closed while it is sent", closed, "sending", false, "CONNECTION_CLOSED"],
    ["closed on a kept-alive connection", closed, "waiting", true, "STALE_CONNECTION"],
    ["closed in mid-response", closed, "receiving", true, "RESPONSE_TRUNCATED"],
    ["reset on a fresh connection", system("ECONNRESET"), "waiting", false, "CONNECTION_RESET"],
    ["reset on a kept-alive connection", system("ECONNRESET"), "waiting", true, "STALE_CONNECTION"],
    ["reset in mid-response", system("ECONNRESET"), "receiving", true, "CONNECTION_RESET"],
    ["written to a closed connection", system("EPIPE"), "sending", false, "CONNECTION_RESET"],
    ["written to a closed kept-alive connection", system("EPIPE"), "sending", true, "STALE_CONNECTION"],
    ["aborted", system("ECONNABORTED"), "waiting", false, "CONNECTION_RESET"],
    ["never acknowledged", system("ETIMEDOUT"), "waiting", false, "RESPONSE_TIMEOUT"],
  ] as const
).map(([what, error, phase, isReused, code]) => ({ what, error, phase, facts: { isReused }, code }));

const unanswered: readonly FailureRow[] = (
  [
    ["blocked", "had not responded when gracefulStop (1500 ms) ran out"],
    ["lookingUp", "was not resolved when"],
    ["connecting", "had not accepted a connection when"],
    ["tlsHandshaking", "TLS handshake"],
    ["waiting", "had not responded when"],
  ] as const
).map(([phase, says]) => ({
  what: "no response before the graceful stop ran out",
  error: new Unanswered({ option: "gracefulStop", graceMs: 1500 }),
  phase,
  code: "UNANSWERED",
  says,
}));

const timeouts: readonly FailureRow[] = [
  ...unanswered,
  { what: "no connection free", error: whole, phase: "blocked", code: "POOL_TIMEOUT", says: "1500 ms" },
  { what: "no name in time", error: whole, phase: "lookingUp", code: "DNS_TIMEOUT" },
  {
    what: "no connection in time",
    error: new RequestTimeout("connect", 300),
    phase: "connecting",
    code: "CONNECT_TIMEOUT",
    says: "timeout.connect",
  },
  { what: "no handshake in time", error: whole, phase: "tlsHandshaking", code: "TLS_TIMEOUT" },
  {
    what: "not read in time",
    error: whole,
    phase: "sending",
    code: "RESPONSE_TIMEOUT",
    says: "did not read",
  },
  {
    what: "no first byte in time",
    error: new RequestTimeout("firstByte", 300),
    phase: "waiting",
    code: "RESPONSE_TIMEOUT",
    says: "timeout.firstByte",
  },
  {
    what: "stalled in mid-response",
    error: whole,
    phase: "receiving",
    facts: { bodyBytes: 12, msSinceLastByte: 1400, contentType: "text/html" },
    code: "RESPONSE_TIMEOUT",
    says: "12 bytes of the body arrived",
  },
  {
    what: "an event stream",
    error: whole,
    phase: "receiving",
    facts: { contentType: "text/event-stream; charset=utf-8", msSinceLastByte: 1400 },
    code: "RESPONSE_TIMEOUT",
    says: "looks like a stream",
  },
  {
    what: "a response that keeps coming",
    error: whole,
    phase: "receiving",
    facts: { msSinceLastByte: 3, bodyBytes: 99 },
    code: "RESPONSE_TIMEOUT",
    says: "looks like a stream",
  },
];

const answers: readonly FailureRow[] = (
  [
    ["malformed", "MALFORMED_RESPONSE"],
    ["headersTooLarge", "HEADERS_TOO_LARGE"],
    ["tooManyInterim", "TOO_MANY_INTERIM_RESPONSES"],
    ["upgraded", "UPGRADE_REFUSED"],
    ["pipelineBroken", "PIPELINE_BROKEN"],
    ["requestBody", "REQUEST_BODY_FAILED"],
    ["protocolError", "H2_PROTOCOL_ERROR"],
    ["silent", "H2_PING_TIMEOUT"],
  ] as const
).map(([kind, code]) => ({
  what: `a response: ${kind}`,
  error: transport({ kind, reason: "the reason" }),
  phase: kind === "requestBody" ? "sending" : "receiving",
  code,
  says: "the reason",
}));

const streams: readonly FailureRow[] = (
  [
    ["streamReset", "INTERNAL_ERROR", "H2_STREAM_RESET"],
    ["streamReset", "REFUSED_STREAM", "H2_REFUSED_STREAM"],
    ["streamReset", "ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"],
    ["goaway", "NO_ERROR", "H2_GOAWAY"],
    ["goaway", "ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"],
  ] as const
).map(([kind, cause, code]) => ({
  what: `HTTP/2: ${kind} ${cause}`,
  error: transport({ kind, cause, reason: "the reason", isUnprocessed: true }),
  phase: "waiting",
  code,
  cause,
  says: "safe to retry",
}));

const given: readonly FailureRow[] = [
  {
    what: "a body over its limit",
    error: new BodyTooLarge(1000),
    phase: "receiving",
    facts: { bodyBytes: 1024 },
    code: "BODY_TOO_LARGE",
    says: "1024 bytes arrived",
  },
  { what: "the test's signal", error: new RequestAborted(), phase: "waiting", code: "REQUEST_ABORTED" },
  {
    what: "an abort by the platform",
    error: new DOMException("The operation was aborted", "AbortError"),
    phase: "sending",
    code: "REQUEST_ABORTED",
  },
  {
    what: "an invalid header",
    error: system("ERR_INVALID_CHAR"),
    phase: "sending",
    code: "INVALID_REQUEST",
  },
];

/** All known failures. */
export const failureTable: readonly FailureRow[] = [
  ...openingFailures,
  ...lost,
  ...timeouts,
  ...answers,
  ...streams,
  ...given,
];
