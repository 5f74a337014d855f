import { expect, test } from "vitest";

import { OverloadWatch, type SecondHealth } from "../../src/health/overload-watch.ts";

const calm: SecondHealth = { durationMs: 1000, utilization: 0.3, loopDelayP99Ms: 1, scheduleLagP99Ms: 0.2 };
const busy: SecondHealth = { ...calm, utilization: 0.991 };

function warningsOf(seconds: readonly SecondHealth[], workerId = 0): (string | null)[] {
  const watch = new OverloadWatch();
  return seconds.map((second) => watch.add(workerId, second));
}

test.each<[Partial<SecondHealth>, string]>([
  [{ utilization: 0.991 }, "worker 0 is busy 99 % of the time: add workers"],
  [{ loopDelayP99Ms: 240 }, "worker 0 is up to 240 ms late to notice events"],
  [{ scheduleLagP99Ms: 150 }, "worker 0 starts iterations up to 150 ms late"],
])("after three seconds in a row of %j there is one warning, and no more", (changes, excerpt) => {
  const second = { ...calm, ...changes };
  const [first, next, third, ...later] = warningsOf([
    second,
    second,
    second,
    second,
    calm,
    second,
    second,
    second,
  ]);
  expect([first, next]).toEqual([null, null]);
  expect(third).toContain(excerpt);
  expect(later).toEqual([null, null, null, null, null]);
});

test("a calm second in between starts the count anew", () => {
  const warnings = warningsOf([busy, busy, calm, busy, busy, calm]);
  expect(warnings.every((warning) => warning === null)).toBe(true);
});

test("a second that is below the bounds or too short to judge does not count", () => {
  const near = { ...calm, utilization: 0.96, loopDelayP99Ms: 99, scheduleLagP99Ms: 99 };
  const short = { ...busy, durationMs: 20 };
  expect(warningsOf([near, near, near, near]).every((warning) => warning === null)).toBe(true);
  expect(warningsOf([busy, busy, short]).every((warning) => warning === null)).toBe(true);
  expect(warningsOf([busy, short, busy, busy]).at(-1)).not.toBeNull();
});

test("the seconds of each worker are counted and reported separately", () => {
  const watch = new OverloadWatch();
  const warnings = [0, 1, 0, 1, 0, 1].map((workerId) => watch.add(workerId, busy));
  expect(warnings.slice(0, 4)).toEqual([null, null, null, null]);
  expect(warnings[4]).toContain("worker 0");
  expect(warnings[5]).toContain("worker 1");
});

test("a worker that was held up reports several seconds at once", () => {
  expect(
    warningsOf([
      { ...busy, durationMs: 1600 },
      { ...busy, durationMs: 2600 },
    ])[1],
  ).toContain("99 %");
  expect(warningsOf([{ ...busy, durationMs: 1600 }, calm, { ...busy, durationMs: 1600 }])[2]).toBeNull();
});
