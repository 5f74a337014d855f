import type { Exchange } from "../exchange/exchange.ts";
import type { Expectation } from "../request/expectation.ts";
import type { Session, SessionPlace } from "./session.ts";

const openingPhases: ReadonlySet<string> = new Set(["lookingUp", "connecting", "tlsHandshaking"]);

/** Tells a VU how an exchange ended, and records it. */
export function concludeExchange(
  exchange: Exchange,
  session: Session,
  place: SessionPlace,
  expect: Expectation,
): void {
  if (!Number.isNaN(exchange.startedAt)) session.onConnected();
  else if (hasNotConnected(exchange)) session.onConnectFailed();
  if (exchange.wasStopped && !exchange.wasInterrupted) markCutOff(place);
  place.environment.recorder.record(exchange, exchange.order.row, place, expect);
}

/** A connection was tried and did not open; that the test gave up itself says nothing of the target. */
function hasNotConnected({ error }: Exchange): boolean {
  return error !== null && openingPhases.has(error.phase) && error.code !== "REQUEST_ABORTED";
}

/** A request that was never answered: every page and group around it was cut off with it. */
function markCutOff({ visit }: SessionPlace): void {
  for (let around = visit; around !== null; around = around.outer) around.isCutOff = true;
}
