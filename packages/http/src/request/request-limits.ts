import type { ValidatedTimeouts } from "@bearhug/plan/http-options/timeouts";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";

/** The limits of a request: its time, and the size and use of its response's body. */
export interface ExchangeLimits {
  readonly timeouts: ValidatedTimeouts;
  readonly discardsBody: boolean;
  readonly maxBodyBytes: number;
  /** The test's own signal to abort the request. */
  readonly signal: AbortSignal | null;
}

/** Returns the limits set by options of `http`. `signal`: the test's own signal to abort the request. */
export function limitsOf(
  { timeout, discardBodies, maxBodySize }: ValidatedHttp,
  signal: AbortSignal | null = null,
): ExchangeLimits {
  return {
    timeouts: timeout,
    discardsBody: discardBodies,
    maxBodyBytes: maxBodySize ?? Number.POSITIVE_INFINITY,
    signal,
  };
}
