import { markCutOff, type Place } from "../../clients/client.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Expectation } from "../request/expectation.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { Session } from "./session.ts";

const openingPhases: ReadonlySet<string> = new Set(["lookingUp", "connecting", "tlsHandshaking"]);

/** Tells a VU how an exchange ended, and records it. */
export function concludeExchange(
  exchange: Exchange,
  { vu }: Session,
  place: Place,
  { recorder }: HttpEnvironment,
  expect: Expectation,
): void {
  if (!Number.isNaN(exchange.startedAt)) vu.onConnected();
  else if (hasNotConnected(exchange)) vu.onConnectFailed();
  if (exchange.wasStopped && !exchange.wasInterrupted) markCutOff(place);
  recorder.record(exchange, exchange.order.row, place, expect);
}

/** A connection was tried and did not open; that the test gave up itself says nothing of the target. */
function hasNotConnected({ error }: Exchange): boolean {
  return error !== null && openingPhases.has(error.phase) && error.code !== "REQUEST_ABORTED";
}
