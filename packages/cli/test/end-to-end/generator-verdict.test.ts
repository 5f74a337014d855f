import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import {
  readResult,
  runForResult,
  runBearhug,
  startBearhug,
  temporaryFolder,
  writeTest,
} from "./run-bearhug.ts";
import { expectHonest, lookForPauses, pauseMetric } from "./seen-pauses.ts";
import { startServer } from "./test-server.ts";

function testFile(baseUrl: string, options: string, exec: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
${lookForPauses}
export default defineTest({
  baseUrl: "${baseUrl}",
  ${pauseMetric},
  scenarios: { s: { ${options}, exec: async ({ http, metrics }) => { recordPauses(metrics); ${exec} } } },
});`);
}

/** 200 iterations/s that each block the thread for 8 ms: it would have to be busy for 1.6 s each second. */
function tooMuch(durationMs: number): readonly [options: string, exec: string] {
  return [
    `executor: "constant-arrival-rate", rate: 200, duration: ${durationMs}, gracefulStop: "1s"`,
    `const until = performance.now() + 8; while (performance.now() < until); await http.get("/");`,
  ];
}

describe("a generator that cannot keep up", () => {
  test("is called saturated, is reported once during the run, and fails a strict run", async () => {
    const server = await startServer();
    // The warning follows three reports that cover 2.8 s, and on a busy machine a report is late.
    const file = testFile(server.url, ...tooMuch(5000));
    const arguments_ = ["run", file, "--workers", "1", "--strict-generator"];
    const { exitCode, result, stderr, stdout } = await runForResult(arguments_);
    expect(result.generator.verdict, stderr).toBe("saturated");
    expect(result.generator.reasons.join("\n")).toMatch(/worker 0 .*(add workers|upper bounds)/);
    expect(stdout).toContain("saturated: 1 worker");
    expect(exitCode).toBe(112);
    expect(stderr.match(/worker 0 (is|starts)/g), stderr).toHaveLength(1);
    expectBalanced(result);
  });

  test("is named in a run that is not strict, which fails only for the iterations that it dropped", async () => {
    const server = await startServer();
    const { exitCode, result } = await runForResult([
      "run",
      testFile(server.url, ...tooMuch(3000)),
      "--workers",
      "1",
    ]);
    expect(result.generator.verdict).toBe("saturated");
    expect(exitCode).toBe(99);
    expect(result.messages).toEqual([
      expect.stringMatching(/^the planned load was not reached: .* because the load generator fell behind/),
    ]);
  });
});

describe("a generator with little to do", () => {
  test("is not called saturated, and the result says what it used", async () => {
    const server = await startServer();
    const file = testFile(
      server.url,
      `executor: "constant-arrival-rate", rate: 20, duration: "4s"`,
      `await http.get("/");`,
    );
    const { result, stderr } = await runForResult(["run", file, "--workers", "1"]);
    const { process: used } = result.generator;
    expectHonest(result);
    expect(stderr).not.toMatch(/worker 0 is busy/);
    expect(used!.cpuCores).toBeGreaterThan(0);
    expect(used!.cpuCores - used!.waitingCores).toBeLessThan(used!.limits.cores * 0.9);
    expect(used!.peakMemoryMb).toBeGreaterThanOrEqual(used!.memoryMb);
    expect(used!.peakConnections).toBeGreaterThan(0);
    expect(used!.peakReceivedBytesPerSecond).toBeGreaterThan(500);
    expect(used!.stalls).toEqual([]);
  });

  test("reports the most connections of all workers, also of a run that ends at once", async () => {
    const waiting: (() => void)[] = [];
    const server = await startServer((_, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 4) for (const answer of waiting) answer();
    });
    const file = testFile(
      server.url,
      `executor: "per-vu-iterations", vus: 4, iterations: 1`,
      `await http.get("/");`,
    );
    const { result, stdout } = await runForResult(["run", file, "--workers", "2"]);
    expect(result.metrics["connections_opened"]?.values).toMatchObject({ count: 4 });
    expect(result.generator.process).toMatchObject({ peakConnections: 4 });
    expect(stdout).toContain("up to 4 connections\n");
  });

  test.for([
    { target: "frozen for seconds", delayOf: (request: number) => (request > 40 && request < 80 ? 2500 : 0) },
    { target: "slow all the time", delayOf: () => 800 },
  ])("is not blamed for a target that is $target", async ({ delayOf }) => {
    let requests = 0;
    const server = await startServer((_request, response) => {
      setTimeout(() => response.end("late"), delayOf(++requests));
    });
    const file = testFile(
      server.url,
      `executor: "constant-arrival-rate", rate: 30, duration: "5s"`,
      `await http.get("/");`,
    );
    const { result } = await runForResult(["run", file, "--workers", "1"]);
    expectHonest(result);
    expectBalanced(result);
  });
});

test("a process that was suspended says when and for how long, and no time becomes negative", async () => {
  const server = await startServer();
  const file = testFile(
    server.url,
    `executor: "constant-arrival-rate", rate: 50, duration: "5s"`,
    `await http.get("/");`,
  );
  const path = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", file, "--workers", "1", "--out", `json=${path}`]);
  while (server.total() < 50) await delay(20);
  run.child.kill("SIGSTOP");
  const stoppedAtMs = performance.now();
  await delay(1400);
  run.child.kill("SIGCONT");
  const stoodMs = performance.now() - stoppedAtMs;
  const ended = await run;
  const result = readResult(path, ended);
  const [stall] = result.generator.process!.stalls.toSorted((a, b) => b.durationMs - a.durationMs);
  expect(stall!.durationMs).toBeGreaterThan(stoodMs - 200);
  expect(stall!.durationMs).toBeLessThan(stoodMs + 1000);
  expect(stall!.atMs).toBeGreaterThan(500);
  expect(stall!.atMs).toBeLessThan(4500);
  expect(result.generator.verdict).not.toBe("healthy");
  expect(result.generator.reasons.join("\n")).toContain("the whole process paused for ");
  expect(ended.stderr).toContain("the whole process paused");
  const [durations, lag] = [result.metrics["http_req_duration"], result.metrics["schedule_lag"]];
  for (const metric of [durations, lag]) {
    if (metric?.type !== "trend") throw new Error("a trend is missing");
    expect(metric.values.min).toBeGreaterThanOrEqual(0);
  }
  expectBalanced(result);
});

test("the user can give the speed of the path to the target, and a full path is named", async () => {
  const server = await startServer((_request, response) => response.end("x".repeat(50_000)));
  const { result } = await runForResult([`${server.url}/`, "-d", "3s", "-c", "2", "--link", "1Mbps"]);
  expect(result.generator.verdict).toBe("saturated");
  expect(result.generator.reasons.join("\n")).toContain("of the 1 Mbit/s given with --link");
  const refused = await runBearhug([`${server.url}/`, "--link", "fast"]);
  expect(refused.exitCode).toBe(104);
  expect(refused.stderr).toContain("--link fast: must be a speed in bits");
});
