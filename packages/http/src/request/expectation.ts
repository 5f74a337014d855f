import type { ValidatedHttp } from "@bearhug/sdk/internal";

/** The statuses that a request calls good; null where neither it nor its `http` says: 200 to 399. */
export type Expectation = ValidatedHttp["expect"];

/** Returns true for a status that was expected. */
export function isExpectedStatus(status: number, expect: Expectation): boolean {
  if (expect === null) return status >= 200 && status <= 399;
  return expect.some(({ min, max }) => status >= min && status <= max);
}
