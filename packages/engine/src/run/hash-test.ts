import { createHash, type Hash } from "node:crypto";

import type { SharedFeed, SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";

import type { JudgedPlan } from "./run-request.ts";

/**
 * Hashes the parts of a test and its plan that must be the same on all shards: the code, the load as options
 * changed it, and the rows of feeds. Paths, HTTP options and variables do not count: they may differ between
 * machines.
 */
export function hashTest(
  fingerprint: string | null,
  { plan, thresholds: judged }: Pick<JudgedPlan, "plan" | "thresholds">,
  feeds: SharedFeeds,
): string {
  const { testName, baseUrl, metrics, tags, warmupMs, variants, overload } = plan;
  const scenarios = plan.scenarios.map(({ scenario, feeds }) => {
    const { http: _http, env: _env, ...load } = scenario;
    return { load, feeds };
  });
  const thresholds = judged.map(({ threshold }) => threshold);
  const hash = createHash("sha256");
  hash.update(JSON.stringify([fingerprint, scenarios, thresholds]));
  hash.update(JSON.stringify([testName, baseUrl, metrics, tags, warmupMs, variants, overload]));
  for (const [name, feed] of Object.entries(feeds.byName)) {
    hash.update(name);
    hashRows(feed, hash);
  }
  return hash.digest("hex");
}

function hashRows(feed: SharedFeed, hash: Hash): void {
  if (feed.format === "list") {
    hash.update(feed.bytes);
    return;
  }
  const { format, bytes, starts, columns } = feed;
  hash.update(JSON.stringify([format, columns, format === "csv" ? feed.delimiter : null]));
  // Line ends are left out, because git may convert them on each machine.
  for (let index = 0; index < starts.length - 1; index += 1) {
    const start = starts[index] ?? 0;
    let end = starts[index + 1] ?? 0;
    while (end > start && betweenRows[format].includes(bytes[end - 1] ?? 0)) end -= 1;
    hash.update(bytes.subarray(start, end));
    hash.update("\n");
  }
}

/** The bytes after a row that are not part of it. */
const betweenRows: Readonly<Record<Exclude<SharedFeed["format"], "list">, Uint8Array>> = {
  csv: Buffer.from("\r\n"),
  json: Buffer.from("\r\n\t ,"),
  serialized: Buffer.from(""),
};
