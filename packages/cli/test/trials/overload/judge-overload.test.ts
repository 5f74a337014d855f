import { expect, test } from "vitest";

import { Trend } from "../../../src/metrics/trend.ts";
import { judgeOverload } from "../../../src/trials/overload/judge-overload.ts";
import { resultOf } from "../../reporters/result-of.ts";

const load = { rate: 100, factor: 2, phaseMs: 6000 };

/** Of a target that takes 100 requests a second and refuses the others. */
const intervals = Array.from({ length: 18 }, (_, second) => {
  const requests = second >= 6 && second < 12 ? 200 : 100;
  const times = new Trend(3);
  for (let index = 0; index < requests; index++) times.add(20);
  return {
    ...{
      atMs: (second + 1) * 1000,
      widthMs: 1000,
      vus: 2,
      http_reqs: requests,
      http_reqs_failed: requests - 100,
    },
    ...{ iterations: requests, dropped: 0, bytes: 0, duration: times.encode(), responseTime: times.encode() },
  };
});

test("reads goodput and response times from the intervals of a result", () => {
  const { overload } = judgeOverload(resultOf({ durationMs: 18_000, intervals }), load);
  expect(overload).toMatchObject({ kind: "sheds", rate: 100, factor: 2, recovery: { afterMs: 0 } });
  expect(overload?.phases.map(({ goodput, failed }) => [goodput, failed])).toEqual([
    [100, 0],
    [100, 100],
    [100, 0],
  ]);
  expect(overload?.phases[0]?.p95).toBeCloseTo(20, 0);
});

test("reads another client's operations where there are no requests", () => {
  const others = intervals.map(({ http_reqs, http_reqs_failed, duration, responseTime, ...rest }) => ({
    ...rest,
    ...{ http_reqs: 0, http_reqs_failed: 0, duration: null, responseTime: null },
    clients: { postgres: { operations: http_reqs, failed: http_reqs_failed, duration, responseTime } },
  }));
  const { overload } = judgeOverload(resultOf({ durationMs: 18_000, intervals: others }), load);
  expect(overload?.kind).toBe("sheds");
});

test("leaves it unclear where the generator was saturated", () => {
  const generator = { verdict: "saturated" as const, reasons: ["busy"], workers: [], process: null };
  const { overload } = judgeOverload(resultOf({ durationMs: 18_000, intervals, generator }), load);
  expect(overload?.kind).toBe("unclear");
  expect(overload?.because).toBe("the load generator was saturated, so the figures may be its own");
});
