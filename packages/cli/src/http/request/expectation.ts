import type { RequestOptions } from "@bearhug/sdk";

/** Whether a status is one that the request called good; by default 200–399. */
export function isExpectedStatus(status: number, expect: RequestOptions["expect"]): boolean {
  if (expect === undefined) return status >= 200 && status <= 399;
  const accepted = Array.isArray(expect) ? expect : [expect];
  return accepted.some((one: number | { readonly min: number; readonly max: number }) =>
    typeof one === "number" ? status === one : status >= one.min && status <= one.max,
  );
}
