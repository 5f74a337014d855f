import { told, type ForeignText } from "../../foreign-text.ts";
import type { DescribedFailure, FailureFacts } from "./failure-facts.ts";

/** The end of a connection under a request: in order (FIN), or cut off (RST). */
export type ConnectionEnd = "closed" | "reset";

/** A connection that ends later than this was not about to end when the request was sent: the server ended it meanwhile. */
const staleWithinMs = 1000;

/** Describes the end of a connection for the request on it, by the phase of that request. */
export function describeLostConnection(
  end: ConnectionEnd,
  { phase, origin, isReused, bodyBytes, msSinceStart = null }: FailureFacts,
): DescribedFailure {
  switch (phase) {
    case "blocked":
    case "lookingUp":
    case "connecting":
      return lost(end, told`${origin} ${end} the connection while it was being opened`);
    case "tlsHandshaking":
      return lost(end, told`${origin} ${end} the connection during the TLS handshake`);
    case "sending":
    case "waiting":
      if (isReused && (msSinceStart ?? 0) <= staleWithinMs) {
        const message = told`${origin} ${end} the idle connection just as the request was sent (retryOnStaleConnection retries it)`;
        return { code: "STALE_CONNECTION", message };
      }
      return lost(end, told`${origin} ${end} the connection before it responded`);
    case "receiving":
      return end === "reset"
        ? lost(
            end,
            told`${origin} reset the connection in mid-response, after ${bodyBytes} bytes of the body`,
          )
        : {
            code: "RESPONSE_TRUNCATED",
            message: told`${origin} ended the response before it was complete, after ${bodyBytes} bytes of the body`,
          };
  }
}

function lost(end: ConnectionEnd, message: ForeignText): DescribedFailure {
  return { code: end === "closed" ? "CONNECTION_CLOSED" : "CONNECTION_RESET", message };
}
