import { expect, test } from "vitest";

import { findOutages } from "../../src/comparison/find-outages.ts";
import type { NamedRun } from "../../src/comparison/comparable.ts";
import { simulateSide } from "./simulated-results.ts";

const base = simulateSide("base", [{ seed: 1, seconds: 30, requestsPerSecond: 20 }]);

/** Returns the base with a time in which all requests failed, or in which none was made. */
function silent(from: number, until: number, failed: boolean): NamedRun[] {
  return base.map(({ result }) => ({
    name: "new-1.json",
    result: {
      ...result,
      intervals: result.intervals.map((interval, at) => {
        if (at < from || at >= until) return interval;
        const http_reqs = failed ? interval.http_reqs : 0;
        return { ...interval, http_reqs, http_reqs_failed: http_reqs };
      }),
    },
  }));
}

test.each([true, false])(
  "a run that was down after the first third is named, with the time (failures: %s)",
  (failed) => {
    expect(findOutages(base, silent(10, 30, failed))).toEqual({
      base: [],
      other: [
        "In new-1.json, no request succeeded from 10.0 s to 30.0 s. The other side had 400 successes in that time.",
      ],
    });
  },
);

test("a base that was down is named, too", () => {
  expect(findOutages(silent(10, 30, true), base)).toMatchObject({ base: [expect.anything()], other: [] });
});

test("a restart is no outage, nor is a pause that both sides have", () => {
  expect(findOutages(base, silent(10, 11, true)).other).toEqual([]);
  expect(findOutages(silent(10, 20, false), silent(10, 20, false)).other).toEqual([]);
});
