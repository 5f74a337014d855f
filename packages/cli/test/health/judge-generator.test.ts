import type { WorkerResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { judgeGenerator } from "../../src/health/judge-generator.ts";

function worker(changes: Partial<WorkerResult> = {}): WorkerResult {
  return { id: 0, utilization: 0.4, loopDelayP99Ms: 1, scheduleLagP99Ms: 0.5, lost: null, ...changes };
}

describe("the load generator", () => {
  test("is healthy while nothing was late, also where nothing is known", () => {
    expect(judgeGenerator([], 10_000).verdict).toBe("healthy");
    const silent = worker({
      utilization: null,
      loopDelayP99Ms: null,
      scheduleLagP99Ms: null,
      lost: "crashed",
    });
    expect(judgeGenerator([worker(), silent], 10_000)).toMatchObject({ verdict: "healthy", reasons: [] });
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
    const judged = judgeGenerator([worker(measured)], 10_000);
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons).toHaveLength(verdict === "healthy" ? 0 : 1);
  });

  test("is as bad as its worst worker, and every reason names the worker and the value", () => {
    const workers = [
      worker(),
      worker({ id: 1, utilization: 0.901 }),
      worker({ id: 2, scheduleLagP99Ms: 250, loopDelayP99Ms: 30 }),
    ];
    const judged = judgeGenerator(workers, 10_000);
    expect(judged.verdict).toBe("saturated");
    expect(judged.reasons).toHaveLength(3);
    expect(judged.reasons[0]).toContain("worker 1 was busy 90 %");
    expect(judged.reasons[1]).toContain("worker 2 was up to 30 ms late");
    expect(judged.reasons[2]).toContain("worker 2 started iterations up to 250 ms late");
  });

  test("does not judge a run that was mostly start-up", () => {
    expect(judgeGenerator([worker({ utilization: 1 })], 1999)).toMatchObject({
      verdict: "healthy",
      reasons: [],
    });
    expect(judgeGenerator([worker({ utilization: 1 })], 2000)).toMatchObject({ verdict: "saturated" });
  });

  test("passes on what it judged", () => {
    const workers = [worker()];
    expect(judgeGenerator(workers, 10_000).workers).toBe(workers);
  });
});
