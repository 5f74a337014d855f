import { setTimeout as delay } from "node:timers/promises";

import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runForResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { expectHonest, lookForPauses, pauseMetric, pausesSeenIn } from "./seen-pauses.ts";
import { startServer, type TestServer } from "./test-server.ts";

function testFile(baseUrl: string, scenarios: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
${lookForPauses}
const burn = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };
export default defineTest({ baseUrl: "${baseUrl}", ${pauseMetric}, scenarios: { ${scenarios} } });`);
}

const visitors = (executor: string): string =>
  `visitors: { ${executor}, exec: async ({ http, metrics }) => { recordPauses(metrics); await http.get("/"); } }`;

const closedLoop = `executor: "constant-vus", vus: 20, duration: "6s"`;

const strict = ["--workers", "1", "--strict-generator"];

/** Starts a target that always answers after 50 ms. */
function startPunctual(): Promise<TestServer> {
  return startServer((_request, response) => {
    setTimeout(() => response.end("hello"), 50);
  });
}

function p99Of({ metrics }: TestResult, name: string): number {
  const metric = metrics[name];
  if (metric?.type !== "trend") throw new Error(`${name} is missing`);
  return metric.values["p(99)"]!;
}

/** Expects that the generator was held up and that the reason names the pause and its cause. */
function expectHeldUp(result: TestResult, longestMs: number): void {
  const { generator } = result;
  const [worker] = generator.workers;
  const reported = generator.reasons.join("\n");
  expect(generator.verdict, reported).toBe("saturated");
  expect(worker!.pauses!.longestMs).toBeGreaterThan(longestMs - 20);
  expect(worker!.loopDelayP99Ms).toBeGreaterThan(100);
  expect(reported).toMatch(
    /late to notice events .* paused .* at \d+\.\d s: the test's code blocked its thread/,
  );
  expectBalanced(result);
}

test("a closed loop whose process paused three times for less than a second is not called healthy", async () => {
  const server = await startPunctual();
  const path = `${temporaryFolder()}/result.json`;
  const file = testFile(server.url, visitors(closedLoop));
  const run = startBearhug(["run", file, ...strict, "--out", `json=${path}`]);
  while (server.total() < 60) await delay(20);
  for (let stop = 0; stop < 3; stop++) {
    run.child.kill("SIGSTOP");
    await delay(850);
    run.child.kill("SIGCONT");
    await delay(600);
  }
  const ended = await run;
  const result = readResult(path, ended);
  expectHeldUp(result, 850);
  expect(result.generator.workers[0]!.pauses!.totalMs).toBeGreaterThan(3 * 800);
  expect(p99Of(result, "http_req_duration")).toBeGreaterThan(500);
  expect(ended.exitCode).toBe(112);
});

test("a test that burns CPU now and then is named as the cause", async () => {
  const server = await startPunctual();
  const burner = `burner: { executor: "constant-vus", vus: 1, duration: "6s", exec: async ({ sleep }) => { await sleep("1.4s"); burn(500); } }`;
  const file = testFile(server.url, `${visitors(closedLoop)}, ${burner}`);
  const { result, exitCode } = await runForResult(["run", file, ...strict]);
  expectHeldUp(result, 500);
  expect(pausesSeenIn(result).longestMs).toBeGreaterThan(480);
  expect(exitCode).toBe(112);
});

test("arrivals that the generator dropped because it was late count against it", async () => {
  const server = await startPunctual();
  const arrivals = `executor: "constant-arrival-rate", rate: 100, duration: "3s"`;
  const blocked = `visitors: { ${arrivals}, exec: async ({ http, iteration }) => {
    if (iteration.index === 270) burn(900);
    await http.get("/");
  } }`;
  const { result, exitCode } = await runForResult(["run", testFile(server.url, blocked), ...strict]);
  const [reason] = result.generator.reasons;
  const { dropped } = result.accounting.iterations;
  expect(dropped).toBeGreaterThan(3);
  expect(reason).toContain(`the generator fell behind and dropped ${dropped} of 300 iterations`);
  expect(result.generator.verdict).toBe("saturated");
  expect(exitCode).toBe(112);
  expectBalanced(result);
});

test("a single pause is reported, and fails a strict run only if the generator is called saturated", async () => {
  const server = await startPunctual();
  const blocked = `visitors: { executor: "constant-arrival-rate", rate: 50, duration: "6s",
    exec: async ({ http, iteration, metrics }) => {
      recordPauses(metrics);
      if (iteration.index === 150) burn(200);
      await http.get("/");
    } }`;
  const { result, exitCode } = await runForResult(["run", testFile(server.url, blocked), ...strict]);
  const { verdict, reasons } = result.generator;
  expectHonest(result);
  expect(verdict).not.toBe("healthy");
  expect(reasons.join("\n")).not.toContain("add workers");
  expect(exitCode).toBe(verdict === "saturated" ? 112 : 0);
});
