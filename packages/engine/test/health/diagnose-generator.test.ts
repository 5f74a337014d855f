import type { WorkerResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { diagnoseGenerator, type GeneratorState } from "../../src/health/diagnose-generator.ts";
import { processOf } from "./process-of.ts";

function worker(changes: Partial<WorkerResult> = {}): WorkerResult {
  return {
    id: 0,
    utilization: 0.4,
    loopDelayP95Ms: 1,
    loopDelayP99Ms: 1,
    scheduleLagP95Ms: 0.5,
    scheduleLagP99Ms: 0.5,
    pauses: null,
    lost: null,
    ...changes,
  };
}

function judge(changes: Partial<GeneratorState>): ReturnType<typeof diagnoseGenerator> {
  return diagnoseGenerator({
    workers: [worker()],
    process: processOf({}),
    errors: [],
    drops: { late: 0, scheduled: 1000 },
    hasOneTarget: true,
    durationMs: 10_000,
    ...changes,
  });
}

describe("the load generator", () => {
  test("is healthy while nothing was late, even if nothing was measured", () => {
    expect(judge({ workers: [], process: null }).verdict).toBe("healthy");
    const silent = worker({
      utilization: null,
      loopDelayP95Ms: null,
      loopDelayP99Ms: null,
      scheduleLagP95Ms: null,
      scheduleLagP99Ms: null,
      pauses: null,
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
    { measured: { loopDelayP99Ms: 900, loopDelayP95Ms: 99.9 }, verdict: "strained" },
    { measured: { loopDelayP99Ms: 900, loopDelayP95Ms: 100 }, verdict: "saturated" },
    { measured: { scheduleLagP99Ms: 19.9 }, verdict: "healthy" },
    { measured: { scheduleLagP99Ms: 20 }, verdict: "strained" },
    { measured: { scheduleLagP99Ms: 190, scheduleLagP95Ms: 40 }, verdict: "strained" },
    { measured: { scheduleLagP99Ms: 190, scheduleLagP95Ms: 150 }, verdict: "saturated" },
  ])("with $measured is $verdict", ({ measured, verdict }) => {
    const judged = judge({ workers: [worker(measured)] });
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons).toHaveLength(verdict === "healthy" ? 0 : 1);
  });

  test("is as bad as its worst worker, and every reason names the worker and the value", () => {
    const workers = [
      worker(),
      worker({ id: 1, utilization: 0.901 }),
      worker({ id: 2, scheduleLagP95Ms: 200, scheduleLagP99Ms: 250, loopDelayP99Ms: 30 }),
    ];
    const judged = judge({ workers });
    expect(judged.verdict).toBe("saturated");
    expect(judged.reasons).toHaveLength(3);
    expect(judged.reasons[0]).toContain("worker 1 was busy 90 %");
    expect(judged.reasons[1]).toContain("worker 2 was up to 30 ms late");
    expect(judged.reasons[2]).toContain("worker 2 started iterations up to 250 ms late");
  });

  test("names other processes first: they make workers look busy and late", () => {
    const { verdict, reasons } = judge({
      workers: [worker({ utilization: 0.99 })],
      process: processOf({ cpuCores: 0.2, queuedThreads: 1 }),
    });
    expect(verdict).toBe("saturated");
    expect(reasons).toEqual([
      expect.stringMatching(/^other processes had the CPU for 83 % of the time/),
      expect.stringContaining("worker 0 was busy 99 %"),
    ]);
  });

  test("is not judged by the measurements of a run that was mostly start-up", () => {
    const facts = { workers: [worker({ utilization: 1 })], process: processOf({ cpuCores: 2 }) };
    expect(judge({ ...facts, durationMs: 1999 })).toMatchObject({ verdict: "healthy", reasons: [] });
    expect(judge({ ...facts, durationMs: 2000 })).toMatchObject({ verdict: "saturated" });
  });

  test("is reported with the workers and the process that were judged", () => {
    const [workers, process] = [[worker()], processOf({})];
    const judged = judge({ workers, process });
    expect(judged.workers).toBe(workers);
    expect(judged.process).toBe(process);
  });
});

describe("a worker that was late", () => {
  const pauses = { count: 3, totalMs: 2712, longestMs: 906, longestAtMs: 4310 };
  const late = { loopDelayP99Ms: 870, loopDelayP95Ms: 760, pauses };

  test("but not busy was held up: more workers would not help", () => {
    const { verdict, reasons } = judge({ workers: [worker({ ...late, utilization: 0.16 })] });
    expect(verdict).toBe("saturated");
    expect(reasons).toEqual([
      "worker 0 was up to 870 ms late to notice events (p99); it paused 3 times, 2.7 s in all, the longest for 906 ms at 4.3 s: the test's code blocked its thread, other processes took the CPU, or the process was suspended; latencies are upper bounds",
    ]);
    const started = judge({ workers: [worker({ ...late, scheduleLagP99Ms: 400 })] }).reasons[1];
    expect(started).toContain("started iterations up to 400 ms late (p99): the test's code blocked");
  });

  test("is listed in a range if many others were late, too", () => {
    const lateOnes = (ids: readonly number[]) => ids.map((id) => worker({ ...late, id, loopDelayP99Ms: 30 }));
    const worst = worker({ ...late, id: 12 });
    const others = [...Array.from({ length: 11 }, (_, id) => id), 13, 14, 16, 17, 18];
    const { reasons } = judge({ workers: [worst, ...lateOnes(others)] });
    expect(reasons.at(-1)).toBe(
      "workers 0 to 10, 13, 14, 16 to 18 were late too, but no more than worker 12",
    );
  });

  test("and busy has too much work", () => {
    const { reasons } = judge({ workers: [worker({ ...late, utilization: 0.99 })] });
    expect(reasons.every((reason) => reason.includes("add workers or lower the load"))).toBe(true);
  });

  test("is reported in detail only if it is the worst, but counts for the verdict in any case", () => {
    const workers = [
      worker({ ...late, id: 0, loopDelayP99Ms: 300, loopDelayP95Ms: 250 }),
      worker({ ...late, id: 1, loopDelayP95Ms: 40 }),
      worker({ id: 2 }),
      worker({ ...late, id: 3, loopDelayP99Ms: 30, loopDelayP95Ms: 0 }),
      worker({ id: 4, utilization: 0.9, loopDelayP99Ms: 30 }),
    ];
    const { verdict, reasons } = judge({ workers });
    expect(verdict).toBe("saturated");
    expect(reasons.filter((reason) => reason.includes("paused"))).toHaveLength(1);
    expect(reasons[0]).toContain("worker 1 was up to 870 ms late");
    expect(reasons[1]).toContain("worker 4 was busy 90 %");
    expect(reasons[2]).toContain("worker 4 was up to 30 ms late");
    expect(reasons[3]).toBe("workers 0, 3 were late too, but no more than worker 1");
    expect(judge({ workers: workers.slice(1, 4) })).toMatchObject({
      verdict: "strained",
      reasons: [expect.anything(), "worker 3 was late too, but no more than worker 1"],
    });
  });

  test("only once is reported with the time of that pause", () => {
    const once = { count: 1, totalMs: 201.4, longestMs: 201.4, longestAtMs: 3120 };
    const { verdict, reasons } = judge({ workers: [worker({ loopDelayP99Ms: 140, pauses: once })] });
    expect(verdict).toBe("strained");
    expect(reasons[0]).toContain("it paused for 201 ms at 3.1 s: the test's code");
  });
});

describe("iterations that the generator was too late to start", () => {
  test.each([
    { late: 1, scheduled: 2400, verdict: "strained" },
    { late: 23, scheduled: 2400, verdict: "strained" },
    { late: 24, scheduled: 2400, verdict: "saturated" },
    { late: 3, scheduled: 3, verdict: "saturated" },
  ])("$late of $scheduled: $verdict, however short the run", ({ late, scheduled, verdict }) => {
    expect(judge({ drops: { late, scheduled }, durationMs: 900 }).verdict).toBe(verdict);
  });

  test("are reported with advice: less load if workers were busy, otherwise the possible causes of a pause", () => {
    const drops = { late: 899, scheduled: 2400 };
    expect(judge({ drops }).reasons).toEqual([
      "the generator fell behind and dropped 899 of 2,400 iterations: the test's code blocked its thread, other processes took the CPU, or the process was suspended; the times are only those of the others",
    ]);
    expect(judge({ drops, workers: [worker({ utilization: 0.9 })] }).reasons[0]).toContain(
      "of 2,400 iterations: add workers or lower the load",
    );
  });
});

describe("requests that the generator could not send", () => {
  test.each([
    ["TOO_MANY_OPEN_FILES", "ulimit -n"],
    ["PORTS_EXHAUSTED", "local port"],
  ])("for %s saturate it, however short the run", (code, advice) => {
    const errors = [
      { code, count: 2 },
      { code: "RESPONSE_TIMEOUT", count: 500 },
      { code, count: 5 },
    ];
    const judged = judge({ errors, durationMs: 300 });
    expect(judged.verdict).toBe("saturated");
    expect(judged.reasons).toHaveLength(1);
    expect(judged.reasons[0]).toContain("7 requests");
    expect(judged.reasons[0]).toContain(advice);
  });

  test("do not include those that the target failed", () => {
    const codes = ["RESPONSE_TIMEOUT", "CONNECTION_REFUSED", "CONNECT_TIMEOUT", "POOL_TIMEOUT", "HTTP_503"];
    expect(judge({ errors: codes.map((code) => ({ code, count: 1000 })) }).verdict).toBe("healthy");
  });
});
