import type { TurnOperation } from "@bearhug/metrics/turn-tally";
import { isLongWait, markCutOff, type Place, type VirtualUser } from "@bearhug/plan/clients/client";
import { isOpening } from "@bearhug/sdk/internal";

import type { Exchange } from "../exchange/exchange.ts";
import type { ToldFailure } from "../failures/failure-info.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import { type Expectation, isExpectedStatus } from "../exchange/exchange-recorder.ts";
import type { DecodedSizes } from "./decoded-sizes.ts";

/** Tells a VU how an exchange ended, and records it. `fault`: a response that came whole, and must not be followed. */
export function concludeExchange(
  exchange: Exchange,
  vu: VirtualUser,
  place: Place,
  { recorder, decodedSizes }: HttpEnvironment,
  expect: Expectation,
  fault: ToldFailure | null,
): void {
  if (!Number.isNaN(exchange.startedAt)) vu.onConnected();
  else if (hasNotConnected(exchange)) vu.onConnectFailed();
  if (exchange.wasStopped && !exchange.wasInterrupted) markCutOff(place);
  if (isLost(exchange)) vu.onLost(exchange.calledAt, exchange.endedAt);
  recorder.record(exchange, exchange.request.row, place, expect, fault);
  if (place.turn !== null && !exchange.wasInterrupted) {
    const isExpected = exchange.error === null && fault === null && isExpectedStatus(exchange.status, expect);
    // In a changeover, too: a size that is learned there need not be learned again.
    const operation = turnOperation(exchange, !isExpected, decodedSizes);
    place.turn.tally?.addOperation(operation);
  }
}

function turnOperation(exchange: Exchange, hasFailed: boolean, sizes: DecodedSizes | null): TurnOperation {
  const { bytesReceived, bodyBytes, wasCutOff: isCutOff, head } = exchange;
  const isAnswered = head !== null && exchange.error === null;
  return {
    hasFailed,
    timeMs: exchange.hasTimes ? exchange.timings().responseTime : null,
    isCutOff,
    bytesReceived,
    bodyBytes: isAnswered ? bodyBytes : null,
    decodedBytes: isAnswered ? (sizes?.of(exchange) ?? null) : null,
  };
}

/** A connection was tried and did not open; that the test gave up itself says nothing of the target. */
function hasNotConnected({ error }: Exchange): boolean {
  return error !== null && isOpening(error.phase) && error.code !== "REQUEST_ABORTED";
}

/** It never got a whole response, though the VU waited for it: longer than for any response, or until a time-out. */
function isLost(exchange: Exchange): boolean {
  const { error, wasInterrupted, hasTimedOut, wasStopped, calledAt, endedAt, request } = exchange;
  if (error === null || wasInterrupted || error.code === "BODY_TOO_LARGE") return false;
  return hasTimedOut || wasStopped || isLongWait(endedAt - calledAt, request.row);
}
