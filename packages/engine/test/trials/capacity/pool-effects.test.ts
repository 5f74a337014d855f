import { expect, test } from "vitest";

import type { Estimate } from "../../../src/trials/capacity/estimate.ts";
import { poolEffects } from "../../../src/trials/capacity/pool-effects.ts";
import { slowRequests } from "./simulated-targets.ts";

function estimateOf(designEffect: number, { value = 0.01, degrees = 10 } = {}): Estimate {
  const shared = { samples: 10_000, standardError: 0, spreadDegrees: degrees, pooledEffect: designEffect };
  return { ...shared, value, designEffect, degrees };
}

function pool(
  ...loaded: readonly (readonly [load: number, estimate: Estimate | null])[]
): (Estimate | null)[] {
  return poolEffects(
    slowRequests,
    loaded.map(([load, estimate]) => ({ load, estimate })),
  );
}

test("a lucky load gets the design effect of the others, and their degrees of freedom", () => {
  const [, lucky] = pool([400, estimateOf(40)], [405, estimateOf(2)], [410, estimateOf(48)]);
  expect(lucky?.designEffect).toBeGreaterThan(25);
  expect(lucky?.spreadDegrees).toBe(30);
});

test("an unlucky load keeps its own design effect for its verdict, and is weighted by a likelier one", () => {
  const [, unlucky] = pool([400, estimateOf(20)], [405, estimateOf(200)], [410, estimateOf(20)]);
  expect(unlucky).toMatchObject({ designEffect: 200, spreadDegrees: 10 });
  expect(unlucky?.pooledEffect).toBeGreaterThan(80);
  expect(unlucky?.pooledEffect).toBeLessThan(200);
});

test("the design effect grows with the load if the estimates show that", () => {
  const [low, , high] = pool(
    [300, estimateOf(10, { degrees: 100 })],
    [400, estimateOf(60, { degrees: 100 })],
    [500, estimateOf(1, { degrees: 3 })],
  );
  expect(high?.designEffect).toBeGreaterThan((low?.designEffect ?? 0) * 2);
});

test("an overloaded target says nothing about the design effect near the limit", () => {
  const [near] = pool([400, estimateOf(20)], [800, estimateOf(5000, { value: 0.9 })]);
  expect(near?.designEffect).toBe(20);
});

test("loads without an estimate stay without one", () => {
  expect(pool([400, null])).toEqual([null]);
  expect(pool([400, null], [500, estimateOf(7)])).toMatchObject([null, { designEffect: 7 }]);
});
