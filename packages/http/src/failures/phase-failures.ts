import { isOpening } from "@bearhug/sdk/internal";
import { foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import type { RequestTimeout, TimeoutBound, Unanswered } from "./request-stopped.ts";

/*
 * Failures that are described by the phase of the request: a timeout, a missing response, a lost connection.
 */

/** A response that received bytes this shortly before the timeout had not stalled. */
const stillFlowingMs = 1000;

const optionOf: Readonly<Record<TimeoutBound, string>> = {
  whole: "timeout",
  connect: "timeout.connect",
  firstByte: "timeout.firstByte",
};

/** Describes a timeout by the phase of the request. */
export function describeTimeout({ bound, timeoutMs }: RequestTimeout, info: FailureInfo): DescribedFailure {
  const { phase, origin, bodyBytes, proxy = null } = info;
  const within = `within ${timeoutMs} ms (${optionOf[bound]})`;
  if (proxy !== null && isOpening(phase)) {
    return {
      code: "PROXY_TIMEOUT",
      message: foreignSentence`the proxy ${proxy} did not connect to ${origin} ${within}`,
    };
  }
  switch (phase) {
    case "blocked":
      return {
        code: "POOL_TIMEOUT",
        message: foreignSentence`no connection to ${origin} became free ${within}`,
      };
    case "lookingUp":
      return {
        code: "DNS_TIMEOUT",
        message: foreignSentence`the host name of ${origin} was not resolved ${within}`,
      };
    case "connecting":
      return {
        code: "CONNECT_TIMEOUT",
        message: foreignSentence`${origin} did not accept a connection ${within}`,
      };
    case "tlsHandshaking":
      return {
        code: "TLS_TIMEOUT",
        message: foreignSentence`the TLS handshake with ${origin} did not finish ${within}`,
      };
    case "sending":
      return {
        code: "RESPONSE_TIMEOUT",
        message: foreignSentence`${origin} did not read the whole request ${within}`,
      };
    case "waiting":
      return { code: "RESPONSE_TIMEOUT", message: foreignSentence`${origin} did not respond ${within}` };
    case "receiving": {
      const hint = looksLikeStream(info) ? "; it looks like a stream that never ends" : "";
      const message = foreignSentence`the response from ${origin} was not complete ${within}: ${bodyBytes} bytes of the body arrived${hint}`;
      return { code: "RESPONSE_TIMEOUT", message };
    }
  }
}

/** Describes a request without a complete response when the graceful stop or ramp-down ran out. */
export function describeUnanswered(
  { grace }: Unanswered,
  { phase, origin, bodyBytes, hasHead }: FailureInfo,
): DescribedFailure {
  const when = `when ${grace.option} (${grace.graceMs} ms) ran out`;
  switch (phase) {
    case "lookingUp":
      return unanswered(foreignSentence`the host name of ${origin} was not resolved ${when}`);
    case "connecting":
      return unanswered(foreignSentence`${origin} had not accepted a connection ${when}`);
    case "tlsHandshaking":
      return unanswered(foreignSentence`the TLS handshake with ${origin} had not finished ${when}`);
    // The requests that it waits behind had no response either: they all get the same sentence.
    case "blocked":
    case "sending":
    case "waiting":
      return unanswered(foreignSentence`${origin} had not responded ${when}`);
    case "receiving":
      if (hasHead)
        return unanswered(
          foreignSentence`the response from ${origin} had stalled ${when}: ${bodyBytes} bytes of the body had arrived`,
        );
      return unanswered(foreignSentence`${origin} had not responded ${when}`);
  }
}

function unanswered(message: ForeignText): DescribedFailure {
  return { code: "UNANSWERED", message };
}

function looksLikeStream({ contentType, msSinceLastByte }: FailureInfo): boolean {
  if (contentType?.trim().toLowerCase().startsWith("text/event-stream") === true) return true;
  return typeof msSinceLastByte === "number" && msSinceLastByte < stillFlowingMs;
}

/** The end of a connection during a request: closed in order (FIN), or reset (RST). */
export type ConnectionEnd = "closed" | "reset";

/** A connection that ends later than this was not stale when the request was sent. */
const staleWithinMs = 1000;

/** Describes the end of a connection for the request on it, by the phase of that request. */
export function describeLostConnection(
  end: ConnectionEnd,
  { phase, origin, isReused, bodyBytes, msSinceStart = null }: FailureInfo,
): DescribedFailure {
  switch (phase) {
    case "blocked":
    case "lookingUp":
    case "connecting":
      return lost(end, foreignSentence`${origin} ${end} the connection while it was being opened`);
    case "tlsHandshaking":
      return lost(end, foreignSentence`${origin} ${end} the connection during the TLS handshake`);
    case "sending":
    case "waiting":
      if (isReused && (msSinceStart ?? 0) <= staleWithinMs) {
        const message = foreignSentence`${origin} ${end} the idle connection just as the request was sent (retryOnStaleConnection retries it)`;
        return { code: "STALE_CONNECTION", message };
      }
      return lost(end, foreignSentence`${origin} ${end} the connection before it responded`);
    case "receiving":
      return end === "reset"
        ? lost(
            end,
            foreignSentence`${origin} reset the connection in mid-response, after ${bodyBytes} bytes of the body`,
          )
        : {
            code: "RESPONSE_TRUNCATED",
            message: foreignSentence`${origin} ended the response before it was complete, after ${bodyBytes} bytes of the body`,
          };
  }
}

function lost(end: ConnectionEnd, message: ForeignText): DescribedFailure {
  return { code: end === "closed" ? "CONNECTION_CLOSED" : "CONNECTION_RESET", message };
}
