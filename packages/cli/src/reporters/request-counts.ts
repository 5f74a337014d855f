import type { TestResult } from "@bearhug/sdk";

type RequestCounts = TestResult["accounting"]["requests"][number];

/** Requests that got an answer or failed, as `http_reqs` counts them. */
export function endedOf({ succeeded, failed }: RequestCounts): number {
  return succeeded + failed;
}

/** Requests that were started and never ended. */
export function unfinishedOf({ interrupted, lost }: RequestCounts): number {
  return interrupted + lost;
}
