import type { RequestOptions } from "@bearhug/sdk";
import {
  DurationSyntaxError,
  parseDuration,
  type ValidatedHttp,
  type ValidatedTimeouts,
} from "@bearhug/sdk/internal";

import { RequestFault } from "./request-fault.ts";

/** The limits of a request: its time, and the size and use of its response's body. */
export interface ExchangeLimits {
  readonly timeouts: ValidatedTimeouts;
  readonly discardsBody: boolean;
  readonly maxBodyBytes: number;
  /** The test's own way to give up. */
  readonly signal: AbortSignal | null;
}

/** Returns the limits of requests that set none themselves. */
export function defaultLimits({ timeout, discardBodies, maxBodySize }: ValidatedHttp): ExchangeLimits {
  return {
    timeouts: timeout,
    discardsBody: discardBodies,
    maxBodyBytes: maxBodySize ?? Number.POSITIVE_INFINITY,
    signal: null,
  };
}

/** The limits of one request. @throws {RequestFault} for those that are none */
export function requestLimits(options: RequestOptions, defaults: ExchangeLimits): ExchangeLimits {
  const { timeout, discardBodies, maxBodySize, signal } = options;
  if (
    timeout === undefined &&
    discardBodies === undefined &&
    maxBodySize === undefined &&
    signal === undefined
  ) {
    return defaults;
  }
  return {
    timeouts: timeout === undefined ? defaults.timeouts : timeoutsOf(timeout, defaults.timeouts),
    discardsBody: discardBodies ?? defaults.discardsBody,
    maxBodyBytes: maxBodySize === undefined ? defaults.maxBodyBytes : sizeOf(maxBodySize),
    signal: signal ?? defaults.signal,
  };
}

function timeoutsOf(
  timeout: NonNullable<RequestOptions["timeout"]>,
  defaults: ExchangeLimits["timeouts"],
): ExchangeLimits["timeouts"] {
  if (typeof timeout !== "object") return { ...defaults, wholeMs: longerThanNothing("timeout", timeout) };
  const { connect, firstByte, whole } = timeout;
  return {
    connectMs: connect === undefined ? defaults.connectMs : longerThanNothing("timeout.connect", connect),
    firstByteMs:
      firstByte === undefined ? defaults.firstByteMs : longerThanNothing("timeout.firstByte", firstByte),
    wholeMs: whole === undefined ? defaults.wholeMs : longerThanNothing("timeout.whole", whole),
  };
}

function longerThanNothing(option: string, duration: Parameters<typeof parseDuration>[0]): number {
  const durationMs = readDuration(option, duration);
  if (durationMs > 0) return durationMs;
  throw new RequestFault("INVALID_REQUEST", `${option}: must be longer than 0.`);
}

function readDuration(option: string, duration: Parameters<typeof parseDuration>[0]): number {
  try {
    return parseDuration(duration);
  } catch (error) {
    if (!(error instanceof DurationSyntaxError)) throw error;
    throw new RequestFault("INVALID_REQUEST", `${option}: ${error.message}`);
  }
}

function sizeOf(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new RequestFault("INVALID_REQUEST", `maxBodySize: must be a whole number of bytes above 0.`);
}
