import type { Timings } from "@bearhug/sdk";
import { eachOpeningPhase } from "@bearhug/sdk/internal";

import type { ConnectPhases } from "../net/opening-connection.ts";

/** The times of a request's events, by the worker's clock; NaN for events that did not happen. */
export interface ExchangeStamps {
  /** When the test made the call. */
  readonly calledAt: number;
  /** The intended start in an open model, for an iteration's first request; null for others. */
  readonly intendedAt: number | null;
  /** Just before the head is written to an open connection. */
  readonly startedAt: number;
  readonly sentAt: number;
  readonly firstByteAt: number;
  /** The last byte, or the failure. */
  readonly endedAt: number;
  /** How long the reader held the body back. */
  readonly pausedMs: number;
}

const reused: ConnectPhases = eachOpeningPhase(() => 0);

/**
 * Returns the phases of a request in ms, by k6's definitions: `blocked` is all the waiting for a connection,
 * including its opening; `duration` = sending + waiting + receiving. If a request ended early, its last phase
 * ends there. Time in which the test held the response back is in no phase.
 */
export function timingsOf(stamps: ExchangeStamps, connection: ConnectPhases | null): Timings {
  const { calledAt, intendedAt, endedAt, pausedMs } = stamps;
  const startedAt = Number.isNaN(stamps.startedAt) ? endedAt : stamps.startedAt;
  const respondedAt = Number.isNaN(stamps.firstByteAt) ? endedAt : stamps.firstByteAt;
  // A response that begins before the request is sent ends the sending phase.
  const sentAt = Number.isNaN(stamps.sentAt) ? respondedAt : stamps.sentAt;
  const firstByteAt = Math.max(respondedAt, sentAt);
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
