import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync, constants } from "node:zlib";

import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { killRun, reportRecording, startReport } from "./kill-run.ts";
import { writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const secret = "tr0ub4dor/3 x";

function longTest(baseUrl: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "long",
  baseUrl: "${baseUrl}",
  env: { API_TOKEN: {} },
  setup: async ({ http, env }) => { await http.get("/setup/" + env.API_TOKEN, { name: "setup " + env.API_TOKEN }); },
  scenarios: {
    visits: {
      executor: "constant-vus", vus: 6, duration: "60s",
      exec: async ({ http, env, sleep, tags, check, iteration }) => {
        tags.set("who", env.API_TOKEN);
        const response = await http.get("/visit?t=" + encodeURIComponent(env.API_TOKEN));
        check(response, { ["answers " + env.API_TOKEN]: (r) => r.ok });
        await sleep("20ms");
        if (iteration.index % 10 === 0) throw new Error("no use for " + env.API_TOKEN);
      },
    },
  },
  thresholds: {
    http_req_duration: ["p(95)<1ms"],
    "http_reqs{who:${secret}}": ["count>1"],
  },
});`);
}

/** Changes each day, so that a failure can be reproduced on the same day. */
const seed = Math.floor(Date.now() / 86_400_000);
const random = randomSource(seed, 26);

test.for([1, 2, 3].map((round) => [round, Math.round(1200 + random() * 3500)] as const))(
  `killed at a random moment (seed ${seed}, round %j), a run is rebuilt and its accounting balances`,
  async ([, killAfterMs]) => {
    const arrivals: number[] = [];
    const server = await startServer((request, response) => {
      if (request.url?.startsWith("/visit") === true) arrivals.push(Date.now());
      setTimeout(() => response.end("hello"), 2);
    });
    const arguments_ = ["run", longTest(server.url), "--env", `API_TOKEN=${secret}`, "--workers", "2"];
    const killed = await killRun(arguments_, async () => {
      while (arrivals.length < 30) await delay(5);
      await delay(killAfterMs);
    });
    const killedAtMs = Date.now();
    const { exitCode, stdout, stderr, result } = await reportRecording(killed);
    expect(exitCode, stderr).toBe(0);
    expect(result).toMatchObject({ truncated: true, verdict: "errored", exitCode: 109 });
    expect(result.messages[0]).toMatch(/^the run was killed after \d+ s of load/);
    expect(stdout).toContain("the run was killed after");
    expect(result.thresholds.map(({ passed }) => passed)).toEqual([null, null]);
    expect(result.generator.workers.map(({ lost }) => lost)).toEqual(
      Array.from({ length: 2 }, () => "killed with the process"),
    );
    expect(result.accounting.setup.requests).toMatchObject([{ sent: 1, succeeded: 1 }]);
    expect(result.errors).toMatchObject([{ code: "TEST_THREW", source: { line: 15 } }]);
    expectBalanced(result);
    expectWithinServersCount(result, arrivals);
    // At most the last second is lost, and the time that writing took.
    const recordedUntilMs = Date.parse(result.startedAt) + result.durationMs;
    expect(killedAtMs - recordedUntilMs).toBeLessThan(2000);
  },
);

/** Expects the server's count at the last record to lie between the finished and the sent requests. */
function expectWithinServersCount(result: TestResult, arrivals: readonly number[]): void {
  const recordedUntilMs = Date.parse(result.startedAt) + result.durationMs;
  const arrivedBy = (atMs: number): number => arrivals.filter((arrivedAtMs) => arrivedAtMs <= atMs).length;
  const slackMs = 500;
  expect(arrivedBy(recordedUntilMs - slackMs)).toBeLessThanOrEqual(sum(result, "sent"));
  expect(sum(result, "succeeded") + sum(result, "failed")).toBeLessThanOrEqual(
    arrivedBy(recordedUntilMs + slackMs),
  );
  expect(sum(result, "succeeded")).toBeGreaterThan(0);
}

test("a run's secrets are not on the disk, wherever the test put them", async () => {
  const server = await startServer();
  const arguments_ = ["run", longTest(server.url), "--env", `API_TOKEN=${secret}`];
  const killed = await killRun(arguments_, async () => {
    while (server.total() < 50) await delay(20);
    await delay(2500);
  });
  const written = gunzipSync(readFileSync(killed.path), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  expect(written).toContain("no use for ***");
  expect(written).toContain("answers ***");
  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), "tr0ub4dor"]) {
    expect(written.includes(form), form).toBe(false);
  }
  const { stdout, result } = await reportRecording(killed);
  expect(stdout + JSON.stringify(result)).not.toContain("tr0ub4dor");
});

test("killed in its setup, a run accounts for the requests of setup", async () => {
  const server = await startServer(() => undefined);
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "stuck",
  baseUrl: "${server.url}",
  setup: async ({ http }) => { await http.get("/setup"); },
  scenarios: { s: { executor: "constant-vus", duration: "1s", exec: ({ http }) => http.get("/") } },
});`);
  const killed = await killRun(["run", file], async () => {
    while (server.total() === 0) await delay(20);
    await delay(1500);
  });
  const { result } = await reportRecording(killed);
  expect(result.messages).toEqual([
    "the run was killed before anything was measured; these are the results recorded until then, and thresholds were not evaluated",
  ]);
  expect(result.accounting.setup.requests).toMatchObject([{ name: "GET /setup", started: 1, lost: 1 }]);
  expect(result.accounting.iterations.started).toBe(0);
  const { stdout } = await startReport(killed.cache);
  expect(stdout).toContain("stuck");
  expect(stdout).toContain(`bearhug report ${killed.path}`);
});

test("killed in its teardown, a run was complete: its duration is the load's, and it is judged", async () => {
  const server = await startServer((request, response) => {
    if (request.url !== "/teardown") response.end("hello");
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "untidy",
  baseUrl: "${server.url}",
  teardown: async ({ http }) => { await http.get("/teardown"); },
  scenarios: { s: { executor: "constant-vus", duration: "1s",
    exec: async ({ http, sleep }) => { await http.get("/"); await sleep("20ms"); } } },
  thresholds: { http_reqs: ["count>0"], iterations: ["count<1"] },
});`);
  const killed = await killRun(["run", file], async () => {
    while (server.counts.get("GET /teardown") !== 1) await delay(20);
    await delay(2500);
  });
  const { result } = await reportRecording(killed);
  expect(result).toMatchObject({ truncated: true, verdict: "errored", exitCode: 109 });
  expect(result.messages).toEqual([
    "the run was killed in teardown, after the load was complete",
    expect.stringContaining("threshold failed: iterations: count<1"),
  ]);
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([true, false]);
  expect(result.durationMs).toBeGreaterThanOrEqual(1000);
  // With its teardown, the run had taken at least 3.5 s.
  expect(result.durationMs).toBeLessThan(3000);
  const { iterations } = result.accounting;
  expect(iterations).toMatchObject({ lost: 0, interrupted: 0 });
  expect(result.metrics["iterations"]).toMatchObject({ values: { count: iterations.completed } });
  expect(result.generator.workers.map(({ lost }) => lost)).toEqual([null]);
  expect(result.accounting.teardown.requests).toMatchObject([{ name: "GET /teardown", started: 1, lost: 1 }]);
  expectBalanced(result);
});

test("killed in its warm-up, a run has measured nothing, and its requests are accounted apart", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 30));
  const line = [`${server.url}/`, "-d", "60s", "-c", "3", "--warmup", "30s"];
  const killed = await killRun(line, async () => {
    while (server.total() < 50) await delay(20);
    await delay(1500);
  });
  const { result } = await reportRecording(killed);
  expect(result.messages[0]).toMatch(/^the run was killed before anything was measured/);
  expect(result.accounting.requests).toEqual([]);
  expect(result.accounting.warmup?.requests).toMatchObject([{ name: "GET /" }]);
  for (const { started, succeeded, lost } of result.accounting.warmup?.requests ?? []) {
    expect(succeeded).toBeGreaterThan(0);
    expect(started).toBe(succeeded + lost);
  }
  expectBalanced(result);
});
