import type { ValidatedHttp, ValidatedTimeouts } from "@bearhug/sdk/internal";

/** The limits of a request: its time, and the size and use of its response's body. */
export interface ExchangeLimits {
  readonly timeouts: ValidatedTimeouts;
  readonly discardsBody: boolean;
  readonly maxBodyBytes: number;
  /** The test's own way to give up. */
  readonly signal: AbortSignal | null;
}

/** The limits that follow from options of `http`. `signal`: the test's own way to give up. */
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
