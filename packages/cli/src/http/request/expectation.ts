import type { RequestOptions } from "@bearhug/sdk";

/** The statuses that a request calls good; null where neither it nor its `http` says: 200 to 399. */
export type Expectation = NonNullable<RequestOptions["expect"]> | null;

/** Returns true for a status that was expected. */
export function isExpectedStatus(status: number, expect: Expectation): boolean {
  if (expect === null) return status >= 200 && status <= 399;
  const accepted = Array.isArray(expect) ? expect : [expect];
  return accepted.some((one: number | { readonly min: number; readonly max: number }) =>
    typeof one === "number" ? status === one : status >= one.min && status <= one.max,
  );
}
