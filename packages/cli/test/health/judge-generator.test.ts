import type { WorkerResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { judgeGenerator, type GeneratorFacts } from "../../src/health/judge-generator.ts";
import { processOf } from "./process-of.ts";

function worker(changes: Partial<WorkerResult> = {}): WorkerResult {
  return { id: 0, utilization: 0.4, loopDelayP99Ms: 1, scheduleLagP99Ms: 0.5, lost: null, ...changes };
}

function judge(changes: Partial<GeneratorFacts>): ReturnType<typeof judgeGenerator> {
  return judgeGenerator({
    workers: [worker()],
    process: processOf({}),
    errors: [],
    hasOneTarget: true,
    durationMs: 10_000,
    ...changes,
  });
}

describe("the load generator", () => {
  test("is healthy while nothing was late, also where nothing is known", () => {
    expect(judge({ workers: [], process: null }).verdict).toBe("healthy");
    const silent = worker({
      utilization: null,
      loopDelayP99Ms: null,
      scheduleLagP99Ms: null,
      lost: "crashed",
    });
    expect(judge({ workers: [worker(), silent] })).toMatchObject({ verdict: "healthy", reasons: [] });
  });

  test.each([
    { measured: { utilization: 0.849 }, verdict: "healthy" },
    { measured: { utilization: 0.85 }, verdict: "strained" },
    { measured: { utilization: 0.97 }, verdict: "saturated" },
    { measured: { loopDelayP99Ms: 19.9 }, verdict: "healthy" },
    { measured: { loopDelayP99Ms: 20 }, verdict: "strained" },
    { measured: { loopDelayP99Ms: 100 }, verdict: "saturated" },
    { measured: { scheduleLagP99Ms: 20 }, verdict: "strained" },
    { measured: { scheduleLagP99Ms: 150 }, verdict: "saturated" },
  ])("with $measured is $verdict", ({ measured, verdict }) => {
    const judged = judge({ workers: [worker(measured)] });
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons).toHaveLength(verdict === "healthy" ? 0 : 1);
  });

  test("is as bad as its worst worker, and every reason names the worker and the value", () => {
    const workers = [
      worker(),
      worker({ id: 1, utilization: 0.901 }),
      worker({ id: 2, scheduleLagP99Ms: 250, loopDelayP99Ms: 30 }),
    ];
    const judged = judge({ workers });
    expect(judged.verdict).toBe("saturated");
    expect(judged.reasons).toHaveLength(3);
    expect(judged.reasons[0]).toContain("worker 1 was busy 90 %");
    expect(judged.reasons[1]).toContain("worker 2 was up to 30 ms late");
    expect(judged.reasons[2]).toContain("worker 2 started iterations up to 250 ms late");
  });

  test("does not judge a run that was mostly start-up by what it measured", () => {
    const facts = { workers: [worker({ utilization: 1 })], process: processOf({ cpuCores: 2 }) };
    expect(judge({ ...facts, durationMs: 1999 })).toMatchObject({ verdict: "healthy", reasons: [] });
    expect(judge({ ...facts, durationMs: 2000 })).toMatchObject({ verdict: "saturated" });
  });

  test("passes on what it judged", () => {
    const [workers, process] = [[worker()], processOf({})];
    const judged = judge({ workers, process });
    expect(judged.workers).toBe(workers);
    expect(judged.process).toBe(process);
  });
});

describe("requests that the generator could not send", () => {
  test.each([
    ["TOO_MANY_OPEN_FILES", "ulimit -n"],
    ["PORTS_EXHAUSTED", "local port"],
  ])("for %s saturate it, however short the run", (code, says) => {
    const errors = [
      { code, count: 2 },
      { code: "RESPONSE_TIMEOUT", count: 500 },
      { code, count: 5 },
    ];
    const judged = judge({ errors, durationMs: 300 });
    expect(judged.verdict).toBe("saturated");
    expect(judged.reasons).toHaveLength(1);
    expect(judged.reasons[0]).toContain("7 requests");
    expect(judged.reasons[0]).toContain(says);
  });

  test("are not those that the target failed", () => {
    const codes = ["RESPONSE_TIMEOUT", "CONNECTION_REFUSED", "CONNECT_TIMEOUT", "POOL_TIMEOUT", "HTTP_503"];
    expect(judge({ errors: codes.map((code) => ({ code, count: 1000 })) }).verdict).toBe("healthy");
  });
});
