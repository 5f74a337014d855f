import type { RequestOptions } from "@bearhug/sdk";
import { mergeOption, type ValidatedHttp, type ValidatedTimeouts } from "@bearhug/sdk/internal";

import { readHttpOption } from "./validate-options.ts";

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

/** The limits of one request, whose options are valid. */
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
    timeouts:
      timeout === undefined
        ? defaults.timeouts
        : mergeOption("timeout", defaults.timeouts, readHttpOption("timeout", timeout)),
    discardsBody: discardBodies ?? defaults.discardsBody,
    maxBodyBytes: maxBodySize ?? defaults.maxBodyBytes,
    signal: signal ?? defaults.signal,
  };
}
