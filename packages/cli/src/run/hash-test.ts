import { createHash } from "node:crypto";

import type { PlannedRun } from "../test-file/make-plan.ts";

/**
 * Tells tests and plans apart that must be the same on all shards: by the code, by the load as options changed it, and by
 * the rows of feeds. Paths, HTTP options and variables do not count: they may differ between machines.
 */
export function hashTest(
  fingerprint: string | null,
  { plan, thresholds }: PlannedRun,
  feedRows: SharedArrayBuffer | null,
): string {
  const { testName, baseUrl, metrics, tags, warmupMs, variants, overload } = plan;
  const scenarios = plan.scenarios.map(({ scenario, feeds }) => {
    const { http: _http, env: _env, ...load } = scenario;
    return { load, feeds };
  });
  const hash = createHash("sha256");
  hash.update(JSON.stringify([fingerprint, scenarios, thresholds]));
  hash.update(JSON.stringify([testName, baseUrl, metrics, tags, warmupMs, variants, overload]));
  if (feedRows !== null) hash.update(new Uint8Array(feedRows));
  return hash.digest("hex");
}
