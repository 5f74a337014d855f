import { Rate } from "@bearhug/metrics/accumulator";
import { Trend } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { findOutage, type VariantTraffic } from "../../src/outcome/find-outage.ts";
import type { TurnMetrics } from "../../src/outcome/turn-store.ts";

/** Returns one stretch for each count of failed requests; null means a stretch without requests. */
function stretchesOf(failures: readonly (number | null)[], requests = 10): TurnMetrics[] {
  return failures.map((failed) => {
    const rate = new Rate();
    for (let request = 0; failed !== null && request < requests; request++) rate.add(request < failed);
    return failed === null ? new Map() : new Map([["failed", rate]]);
  });
}

function traffic(changes: Partial<VariantTraffic>): VariantTraffic {
  return {
    stretches: [],
    stretchMs: 400,
    turnMs: 200,
    unexpected: null,
    vus: 4,
    startsUntilMs: 8000,
    durationMs: 8000,
    ...changes,
  };
}

describe("a variant whose turns failed one after another", () => {
  test("was down from the first failed turn to the last", () => {
    const stretches = stretchesOf([0, 0, 4, 10, 10, null, 10, 10, 0]);
    expect(findOutage(traffic({ stretches }))).toEqual({ kind: "failed", fromMs: 1200, untilMs: 3200 });
  });

  test("was down all the time if no request succeeded, however few there were", () => {
    expect(findOutage(traffic({ stretches: stretchesOf([1, 1, 1, 1], 1) }))).toMatchObject({ fromMs: 0 });
  });

  test("was not down in a restart shorter than a second", () => {
    expect(findOutage(traffic({ stretches: stretchesOf([0, 0, 10, 10, 10, 0, 0]) }))).toBeNull();
  });

  test("was down even in a single turn, if that lasted a second or more", () => {
    const long = { stretchMs: 4000, turnMs: 2000 };
    expect(findOutage(traffic({ ...long, stretches: stretchesOf([0, 10, 0]) }))).toMatchObject({
      fromMs: 4000,
    });
  });

  test("was not down if half of its requests fail anyway, and a few in a row by chance", () => {
    expect(findOutage(traffic({ stretches: stretchesOf([0, 1, 1, 1, 1, 0, 1, 0, 0, 1], 1) }))).toBeNull();
  });
});

describe("a variant that leaves requests unanswered", () => {
  const waited = (...times: readonly number[]): Trend => {
    const trend = new Trend(3);
    for (const ms of times) trend.addLowerBound(ms);
    return trend;
  };

  test("was down since those requests began, if virtual users lost much of their time to them", () => {
    const unexpected = waited(10_000, 10_000, 10_000, 10_000);
    const outage = findOutage(traffic({ unexpected, durationMs: 13_000 }));
    expect(outage?.kind).toBe("unanswered");
    expect(outage?.fromMs).toBeCloseTo(3000, -2);
    expect(outage?.untilMs).toBe(8000);
  });

  test("was not down if they began at the end of the load", () => {
    const unexpected = waited(5100, 5100, 5100, 5100);
    expect(findOutage(traffic({ unexpected, durationMs: 13_000 }))).toBeNull();
  });

  test("was not down if only one of many virtual users waits", () => {
    expect(findOutage(traffic({ unexpected: waited(10_000), vus: 100, durationMs: 13_000 }))).toBeNull();
  });
});
