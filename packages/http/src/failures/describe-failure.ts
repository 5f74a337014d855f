import { foreignLine, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

import { ConnectFailure } from "../net/connect-failure.ts";
import { describeConnectFailure } from "./connection-failed.ts";
import type { DescribedFailure, FailureInfo, MaskedFailure } from "./failure-info.ts";
import { codeOf, nameOf, messageOf } from "./thrown-fields.ts";
import { BodyTooLarge, RequestAborted, RequestTimeout, Unanswered } from "./request-stopped.ts";
import { describeSystemError } from "./system-failed.ts";
import { describeTimeout, describeUnanswered } from "./phase-failures.ts";
import { describeTlsError } from "./tls-failed.ts";
import { describeTransportFailure, TransportFailure } from "./transport-failure.ts";

/** Returns the code of a failed request, and a sentence with what happened and where. Never throws. */
export function describeFailure(error: unknown, info: FailureInfo, mask: Mask): MaskedFailure {
  const cause = causeOf(error);
  const { code, message } = describe(error, cause, info);
  const isOurOwn = cause === null || cause === code || cause.startsWith("BEARHUG_");
  return { code, message: message.masked(mask), phase: info.phase, ...(isOurOwn ? {} : { cause }) };
}

function describe(error: unknown, cause: string | null, info: FailureInfo): DescribedFailure {
  const { origin, phase, bodyBytes } = info;
  if (error instanceof RequestTimeout) return describeTimeout(error, info);
  if (error instanceof Unanswered) return describeUnanswered(error, info);
  if (error instanceof ConnectFailure) return describeConnectFailure(error, info);
  if (error instanceof TransportFailure) return describeTransportFailure(error, info);
  if (error instanceof BodyTooLarge) {
    const message = foreignSentence`the body from ${origin} is larger than maxBodySize (${error.maxBytes} bytes): ${bodyBytes} bytes arrived`;
    return { code: "BODY_TOO_LARGE", message };
  }
  if (error instanceof RequestAborted || cause === "ABORT_ERR") {
    return {
      code: "REQUEST_ABORTED",
      message: foreignSentence`the test's signal aborted the request to ${origin} while ${phase}`,
    };
  }
  const known = cause === null ? null : byCause(cause, error, info);
  if (known !== null) return known;
  const message = foreignSentence`the request to ${origin} failed while ${phase}: ${messageTextOf(error)}`;
  return { code: "REQUEST_FAILED", message };
}

function byCause(cause: string, error: unknown, info: FailureInfo): DescribedFailure | null {
  if (unwritable.has(cause)) {
    const message = foreignSentence`the request to ${info.origin} is not valid HTTP: ${messageTextOf(error)}`;
    return { code: "INVALID_REQUEST", message };
  }
  return describeTlsError(cause, error, info) ?? describeSystemError(cause, error, info);
}

/** Codes of Node and of the engine for headers and paths that no protocol can carry. */
const unwritable: ReadonlySet<string> = new Set([
  "INVALID_REQUEST",
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_UNESCAPED_CHARACTERS",
  "ERR_HTTP_INVALID_HEADER_VALUE",
  "ERR_HTTP2_INVALID_CONNECTION_HEADERS",
  "ERR_HTTP2_INVALID_HEADER_VALUE",
  "ERR_HTTP2_INVALID_PSEUDOHEADER",
  "ERR_HTTP2_HEADER_SINGLE_VALUE",
]);

/** Returns the system's error code (of several attempts, the first one's), or HTTP/2's name of the error. */
function causeOf(error: unknown): string | null {
  if (error instanceof TransportFailure || error instanceof ConnectFailure) return error.info.cause ?? null;
  const code = codeOf(error);
  if (code !== null) return code;
  if (nameOf(error) === "AbortError") return "ABORT_ERR";
  if (!(error instanceof AggregateError)) return null;
  for (const one of error.errors) {
    const inner = codeOf(one);
    if (inner !== null) return inner;
  }
  return null;
}

function messageTextOf(error: unknown): ForeignText {
  return foreignLine(messageOf(error) ?? "the thrown value cannot be shown");
}
