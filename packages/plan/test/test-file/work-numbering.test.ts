import fc from "fast-check";
import { expect, test } from "vitest";

import { constantArrivals } from "../../src/pacing/arrivals.ts";
import { peakVus } from "../../src/executors/load-models.ts";
import { planScenarios } from "../../src/test-file/make-plan.ts";
import { arrivals, constantVus, rampingVus, sharedIterations } from "./tests-for-plans.ts";

const scenario = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map((vus) => constantVus("c", vus)),
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }))
    .map(([count, vus]) => sharedIterations("s", count, vus)),
  fc.integer({ min: 1, max: 9 }).map((rate) => arrivals("a", rate)),
  fc.constant(rampingVus("r")),
);

test("each VU id and each iteration index exists once over all scenarios", () => {
  fc.assert(
    fc.property(fc.array(scenario, { minLength: 1, maxLength: 6 }), (scenarios) => {
      const ids: number[] = [];
      const indexes: number[] = [];
      for (const { scenario: planned, iterationIndexes, vuIdOffset } of planScenarios(scenarios)) {
        for (let vu = 0; vu < peakVus(planned); vu++) ids.push(vuIdOffset + vu + 1);
        const counted =
          planned.executor === "shared-iterations"
            ? planned.iterations
            : planned.executor === "constant-arrival-rate"
              ? constantArrivals(planned.rate, planned.timeUnitMs, planned.durationMs).total
              : 200;
        for (let n = 0; n < counted; n++) indexes.push(iterationIndexes.offset + n * iterationIndexes.stride);
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(Math.min(...ids)).toBe(1);
      expect(Math.max(...ids)).toBe(ids.length);
      expect(new Set(indexes).size).toBe(indexes.length);
      expect(Math.min(...indexes)).toBe(0);
    }),
  );
});

test("the iterations of a test with one scenario count from 0 without a gap", () => {
  for (const one of [constantVus("c"), sharedIterations("s"), arrivals("a")]) {
    expect(planScenarios([one])[0]).toMatchObject({
      iterationIndexes: { offset: 0, stride: 1 },
      vuIdOffset: 0,
    });
  }
});
