import type { Timings } from "@bearhug/sdk";
import { eachOpeningPhase } from "@bearhug/sdk/internal";

import type { ConnectPhases } from "../net/opening-connection.ts";

/** When things happened to a request, by the worker's clock; NaN for what never happened. */
export interface ExchangeStamps {
  /** The test called. */
  readonly calledAt: number;
  /** When an open model meant to start, for an iteration's first request. */
  readonly intendedAt: number | null;
  /** The head is about to be written to an open connection. */
  readonly startedAt: number;
  readonly sentAt: number;
  readonly firstByteAt: number;
  /** Last byte, or failure. */
  readonly endedAt: number;
  /** How long nobody wanted more of the body. */
  readonly pausedMs: number;
}

const reused: ConnectPhases = eachOpeningPhase(() => 0);

/**
 * The phases of a request in ms, by k6's definitions: `blocked` is all the waiting for a connection, its opening
 * included; `duration` = sending + waiting + receiving. Where a request ended early, its last phase ends there. Time in
 * which the test held the response back is in none.
 */
export function timingsOf(stamps: ExchangeStamps, connection: ConnectPhases | null): Timings {
  const { calledAt, intendedAt, endedAt, pausedMs } = stamps;
  const startedAt = Number.isNaN(stamps.startedAt) ? endedAt : stamps.startedAt;
  const answeredAt = Number.isNaN(stamps.firstByteAt) ? endedAt : stamps.firstByteAt;
  // An answer that comes before the request was sent ends the sending.
  const sentAt = Number.isNaN(stamps.sentAt) ? answeredAt : stamps.sentAt;
  const firstByteAt = Math.max(answeredAt, sentAt);
  return {
    blocked: startedAt - calledAt,
    ...(connection ?? reused),
    sending: sentAt - startedAt,
    waiting: firstByteAt - sentAt,
    receiving: Math.max(0, endedAt - firstByteAt - pausedMs),
    duration: endedAt - startedAt - pausedMs,
    responseTime: endedAt - (intendedAt ?? calledAt) - pausedMs,
  };
}

/** An ended request as far as its phases go. */
export interface EndedRequest extends ExchangeStamps {
  /** How the connection was opened, if this request was the first on it. */
  readonly connection: ConnectPhases | null;
  readonly wasStopped: boolean;
  readonly wasCutOff: boolean;
}

/**
 * Returns true for what most requests are: sent on a connection that was open, in a closed model, and answered whole, in
 * the usual order, while nobody held the response back. Each phase is then the time between two stamps.
 */
export function isUsual(request: EndedRequest): boolean {
  const { connection, wasStopped, wasCutOff, intendedAt, pausedMs } = request;
  if (connection !== null || wasStopped || wasCutOff || intendedAt !== null || pausedMs !== 0) return false;
  const { startedAt, sentAt, firstByteAt, endedAt } = request;
  return startedAt <= sentAt && sentAt <= firstByteAt && firstByteAt <= endedAt;
}
