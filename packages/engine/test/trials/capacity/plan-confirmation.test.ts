import { expect, test } from "vitest";

import { planConfirmation } from "../../../src/trials/capacity/plan-confirmation.ts";
import type { Limit } from "../../../src/trials/capacity/locate-limit.ts";
import type { Point } from "../../../src/trials/capacity/points.ts";
import { slowRequests } from "./simulated-targets.ts";

const limit: Limit = { objective: 0, load: 400, low: 385, high: 415, spread: 7, steepness: 20 };

/** Returns the evidence of a minute at the limit, with this many independent requests. */
function evidence(
  effectiveSamples: number,
  part: Partial<Point> = {},
): Parameters<typeof planConfirmation>[2] {
  const shared = { judges: "share", value: 0.01, bound: 0.01, relativeError: 0.1, degrees: 15 } as const;
  const point: Point = { ...shared, load: 400, effectiveSamples, ...part };
  return [{ load: 400, measuredMs: 60_000, points: [point] }];
}

test("the longer the run, the nearer to the limit is the load to confirm", () => {
  const [short, long] = [30_000, 600_000].map((ms) =>
    planConfirmation(slowRequests, limit, evidence(2000), ms),
  );
  expect(short).toBeGreaterThan(320);
  expect(long).toBeGreaterThan(short ?? 400);
  expect(long).toBeLessThan(400);
});

test("a run that is too short to confirm any load near the limit is not planned", () => {
  expect(planConfirmation(slowRequests, limit, evidence(100), 60_000)).toBeNull();
  expect(planConfirmation(slowRequests, limit, [], 60_000)).toBeNull();
});

test("a mean is planned by its standard error", () => {
  const mean = { ...slowRequests, judges: "mean", bound: 20, limitMs: null } as const;
  const planned = (relativeError: number): number | null =>
    planConfirmation(
      mean,
      limit,
      evidence(1000, { judges: "mean", value: 20, bound: 20, relativeError }),
      60_000,
    );
  expect(planned(0.02)).toBeGreaterThan(planned(0.1) ?? 400);
  expect(planned(0.02)).toBeLessThan(400);
});
