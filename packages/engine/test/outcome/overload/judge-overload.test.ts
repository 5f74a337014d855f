import { Trend } from "@bearhug/metrics/trend";
import { expect, test } from "vitest";

import { rebuildRun } from "../../../src/outcome/rebuild-run.ts";
import type { RecordedMoment } from "../../../src/outcome/run-record.ts";
import { judgeOverload } from "../../../src/outcome/compose-result.ts";
import { recordedMoment, recordedRun } from "../../recording/recorded.ts";
import { resultOf } from "../../../../report/test/result-of.ts";

const load = { rate: 100, factor: 2, phaseMs: 6000 };

/** The intervals of a target that serves 100 requests a second and refuses the others. */
const intervals = Array.from({ length: 18 }, (_, second) => {
  const requests = second >= 6 && second < 12 ? 200 : 100;
  const times = new Trend(3);
  for (let index = 0; index < requests; index++) times.add(20);
  return {
    atMs: (second + 1) * 1000,
    widthMs: 1000,
    vus: 2,
    http_reqs: requests,
    http_reqs_failed: requests - 100,
    iterations: requests,
    dropped: 0,
    bytes: 0,
    duration: times.encode(),
    responseTime: times.encode(),
  };
});

test("an overload is judged by goodput and response times from the intervals of a result", () => {
  const overload = judgeOverload(resultOf({ durationMs: 18_000, intervals }), load);
  expect(overload).toMatchObject({ kind: "sheds", rate: 100, factor: 2, recovery: { afterMs: 0 } });
  expect(overload.phases.map(({ goodput, failed }) => [goodput, failed])).toEqual([
    [100, 0],
    [100, 100],
    [100, 0],
  ]);
  expect(overload.phases[0]?.p95).toBeCloseTo(20, 0);
});

test("p95 is that of the requests that succeeded, however fast the others were refused", () => {
  const refusing = intervals.map((interval, second) => {
    if (second < 6 || second >= 12) return interval;
    const times = new Trend(3);
    for (let index = 0; index < 2000; index++) times.add(index < 1960 ? 1 : 500);
    return { ...interval, http_reqs: 2000, http_reqs_failed: 1960, responseTime: times.encode() };
  });
  const overload = judgeOverload(resultOf({ durationMs: 18_000, intervals: refusing }), load);
  expect(overload.phases[1]?.p95).toBeCloseTo(500, -1);
});

test("a run that was killed is judged by its recording, as far as it goes", async () => {
  const plan = recordedRun.plan && { ...recordedRun.plan, overload: { rate: 4, factor: 2, phaseMs: 5000 } };
  const { overload, truncated } = await rebuildRun({ ...recordedRun, plan }, firstSeconds(12));
  expect(truncated).toBe(true);
  expect(overload).toMatchObject({ rate: 4, factor: 2 });
  expect(overload?.phases.map(({ name, offered, goodput }) => [name, offered, goodput])).toEqual([
    ["base", 4, 4],
    ["past", 8, 4],
    ["recovery", 4, 4],
  ]);
});

test("operations of another client are judged if there are no HTTP requests", () => {
  const others = intervals.map(({ http_reqs, http_reqs_failed, duration, responseTime, ...rest }) => ({
    ...rest,
    http_reqs: 0,
    http_reqs_failed: 0,
    duration: null,
    responseTime: null,
    clients: { postgres: { operations: http_reqs, failed: http_reqs_failed, duration, responseTime } },
  }));
  const overload = judgeOverload(resultOf({ durationMs: 18_000, intervals: others }), load);
  expect(overload.kind).toBe("sheds");
});

test("an overload is unclear if the generator was saturated", () => {
  const generator = { verdict: "saturated" as const, reasons: ["busy"], workers: [], process: null };
  const overload = judgeOverload(resultOf({ durationMs: 18_000, intervals, generator }), load);
  expect(overload.kind).toBe("unclear");
  expect(overload.because).toBe("the load generator was saturated, so the figures may be its own");
});

async function* firstSeconds(count: number): AsyncGenerator<RecordedMoment> {
  for (let second = 0; second < count; second++) yield await Promise.resolve(recordedMoment(second));
}
