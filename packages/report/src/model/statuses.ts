import type { TestResult } from "@bearhug/sdk";

import { byCount } from "./errors.ts";

/** The status of a request without a response. */
const noStatus = "0";

/** The number of requests with a status. */
interface StatusCount {
  /** The displayed text: `302`, or `no response`. */
  readonly status: string;
  readonly count: number;
}

/** Counts requests by status, the most frequent first; empty if no response has another status than 200. */
export function statusCounts({ series }: Pick<TestResult, "series">): StatusCount[] {
  const counts = new Map<string, number>();
  for (const { metric, tags, values } of series) {
    const status = metric === "http_reqs" ? tags["status"] : undefined;
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + (values["count"] ?? 0));
  }
  const hasOther = [...counts.keys()].some((status) => status !== "200" && status !== noStatus);
  if (!hasOther) return [];
  return [...counts]
    .map(([status, count]) => ({ status: status === noStatus ? "no response" : status, count }))
    .sort(byCount);
}
