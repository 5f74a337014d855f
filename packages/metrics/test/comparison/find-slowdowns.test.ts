import { expect, test } from "vitest";

import type { NamedRun } from "../../src/comparison/comparable.ts";
import { findSlowdowns } from "../../src/comparison/find-slowdowns.ts";
import { resultOfSeconds } from "./result-of-seconds.ts";

/** Returns a run of 30 s with ten requests a second, all of which take `msAt` of their second. */
function runOf(name: string, msAt: (second: number) => number): NamedRun[] {
  const seconds = Array.from({ length: 30 }, (_, second) => ({
    durationsMs: Array.from({ length: 10 }, () => msAt(second)),
    failed: 0,
  }));
  return [{ name, result: resultOfSeconds(seconds) }];
}

const usual = runOf("base.json", (second) => (second === 0 ? 300 : 2));

test("a run that was 70 times slower for two thirds of its time is named, with the times", () => {
  const slow = runOf("new.json", (second) => (second < 10 ? 2 : 140));
  expect(findSlowdowns(usual, slow)).toEqual({
    base: [],
    other: [
      "In new.json, the median response time was above 20.1 ms from 10 s to 30 s. On the other side, it was at most 2.0 ms in 9 of 10 seconds.",
    ],
  });
  expect(findSlowdowns(slow, usual)).toMatchObject({ base: [expect.anything()], other: [] });
});

test.each([
  ["a run that becomes nine times slower", (second: number) => (second < 10 ? 2 : 18)],
  ["a pause of a second and a half", (second: number) => (second === 12 ? 1500 : 2)],
  ["a single slow second", (second: number) => (second === 12 ? 140 : 2)],
])("%s is not reported as a slowdown", (_, msAt) => {
  expect(findSlowdowns(usual, runOf("new.json", msAt))).toEqual({ base: [], other: [] });
});

test("a few milliseconds more are no slowdown, however fast the other side was", () => {
  const fast = runOf("base.json", () => 0.2);
  expect(
    findSlowdowns(
      fast,
      runOf("new.json", () => 5),
    ),
  ).toEqual({ base: [], other: [] });
});
