import type { TestResult } from "@bearhug/sdk";

/** The status of a request without a response. */
const noStatus = "0";

/** How often a status came. */
interface StatusCount {
  /** As it is shown: `302`, or that there was no response. */
  readonly status: string;
  readonly count: number;
}

/** How often each status came, the most frequent first; empty if there is no other than 200. */
export function statusCounts({ series }: Pick<TestResult, "series">): StatusCount[] {
  const counts = new Map<string, number>();
  for (const { metric, tags, values } of series) {
    const status = metric === "http_reqs" ? tags["status"] : undefined;
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + (values["count"] ?? 0));
  }
  const isTold = [...counts.keys()].some((status) => status !== "200" && status !== noStatus);
  if (!isTold) return [];
  return [...counts]
    .map(([status, count]) => ({ status: status === noStatus ? "no response" : status, count }))
    .sort((left, right) => right.count - left.count);
}
