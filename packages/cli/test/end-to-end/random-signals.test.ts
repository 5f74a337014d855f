import { setTimeout as delay } from "node:timers/promises";

import { randomSource } from "@bearhug/plan/pacing/random-source";
import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { readResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** The moments are the same in every check, and others each night, like the examples of property tests. */
const seed = Number(process.env["BEARHUG_PROPERTY_SEED"] ?? 1);
const random = randomSource(seed, 31);

const moments = Array.from({ length: 6 }, (_, round) => ({
  round,
  signal: (["SIGINT", "SIGTERM", "SIGHUP"] as const)[round % 3] ?? "SIGINT",
  afterMs: Math.round(random() * 2500),
  // In every second round, another signal follows soon.
  againAfterMs: round % 2 === 0 ? null : Math.round(random() * 400),
}));

test.for(moments)(
  `whenever a signal comes, there is a balanced result (seed ${seed}, round $round: $signal after $afterMs ms, again after $againAfterMs ms)`,
  async ({ signal, afterMs, againAfterMs }) => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end(), 20));
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  setup: async ({ http }) => { await http.get("/setup"); },
  teardown: async ({ http }) => { await http.get("/teardown"); },
  scenarios: { s: { executor: "constant-vus", vus: 6, duration: "60s", gracefulStop: "10s", exec: async ({ http, sleep }) => {
    await http.get("/"); await sleep("700ms");
  } } },
  thresholds: { http_reqs: ["count>1000000"] },
});`);
    const path = `${temporaryFolder()}/result.json`;
    const run = startBearhug(["run", file, "--workers", "2", "--out", `json=${path}`]);
    while (server.total() < 1) await delay(5);
    await delay(afterMs);
    run.child.kill(signal);
    if (againAfterMs !== null) {
      await delay(againAfterMs);
      run.child.kill(signal);
    }
    const signalledAtMs = performance.now();
    const ended = await run;
    const result = readResult(path, ended);
    // A graceful stop waits for the iterations, which take less than a second; a second signal does not.
    expect(performance.now() - signalledAtMs).toBeLessThan(againAfterMs === null ? 15_000 : 5000);
    // Node stops handling signals before it exits: one that comes after the result was written kills the
    // process, and output that the pipe has not taken is lost.
    expect(ended.exitCode ?? result.exitCode, ended.stderr).toBe(105);
    expect(result).toMatchObject({ verdict: "interrupted", truncated: false });
    expect(result.thresholds).toMatchObject([{ passed: null }]);
    if (ended.exitCode !== null) expect(ended.stdout).toContain("interrupted by");
    expectBalanced(result);
    expect(sum(result, "lost")).toBe(0);
    const ofLoad = server.counts.get("GET /") ?? 0;
    expect(ofLoad).toBeLessThanOrEqual(sum(result, "sent"));
    expect(ofLoad).toBeGreaterThanOrEqual(sum(result, "succeeded"));
    if (againAfterMs === null) expect(sum(result, "interrupted")).toBe(0);
    if (againAfterMs === null && ofLoad > 0) expect(server.counts.get("GET /teardown")).toBe(1);
  },
);
