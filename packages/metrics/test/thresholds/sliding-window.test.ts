import type { MetricType } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createAccumulator, deltaOf, type MetricDelta } from "../../src/accumulator.ts";
import { SlidingWindow } from "../../src/thresholds/sliding-window.ts";
import { thresholdOf } from "./threshold-of.ts";

function windowOf(type: MetricType, text: string, seconds: number): SlidingWindow {
  const threshold = thresholdOf("any", text, { windowMs: seconds * 1000 });
  return new SlidingWindow(threshold, { type, precision: 3 }, seconds * 1000);
}

/** Returns a second's samples. In a rate, 0 is false; in a trend, `cutOffFrom` and more are lower bounds. */
function deltaWith(
  type: MetricType,
  samples: readonly number[],
  cutOffFrom = Number.POSITIVE_INFINITY,
): MetricDelta {
  const accumulator = createAccumulator(type, 3);
  for (const sample of samples) {
    if (accumulator.type === "rate") accumulator.add(sample > 0);
    else if (accumulator.type === "trend" && sample >= cutOffFrom) accumulator.addLowerBound(sample);
    else accumulator.add(sample);
  }
  return deltaOf(accumulator);
}

/** Judges samples second by second, as a run does. */
function judge(
  window: SlidingWindow,
  type: MetricType,
  seconds: readonly (readonly number[])[],
  cutOffFrom?: number,
): SlidingWindow {
  for (const [second, samples] of seconds.entries()) {
    if (samples.length > 0) window.add(second, deltaWith(type, samples, cutOffFrom));
    window.advance(second + 1, seconds.length * 1000);
  }
  return window;
}

interface Case {
  readonly type: MetricType;
  readonly aggregation: string;
  /** Computes the left side of the condition from a window's samples; null if there is nothing to judge. */
  readonly of: (samples: readonly number[], widthSeconds: number) => number | null;
  /** Divides samples and bounds: histograms hold whole microseconds exactly only up to 2 ms. */
  readonly divisor?: number;
}

const sum = (samples: readonly number[]): number => samples.reduce((total, sample) => total + sample, 0);
const unlessEmpty =
  (of: (samples: readonly number[]) => number) =>
  (samples: readonly number[]): number | null =>
    samples.length === 0 ? null : of(samples);

const cases: readonly Case[] = [
  { type: "counter", aggregation: "count", of: sum },
  { type: "counter", aggregation: "rate", of: (samples, seconds) => sum(samples) / seconds },
  {
    type: "rate",
    aggregation: "rate",
    of: unlessEmpty((all) => all.filter((one) => one > 0).length / all.length),
  },
  { type: "gauge", aggregation: "value", of: unlessEmpty((all) => all[all.length - 1]!) },
  { type: "trend", aggregation: "count", of: (samples) => samples.length },
  { type: "trend", aggregation: "max", of: unlessEmpty((all) => Math.max(...all)) },
  { type: "trend", aggregation: "avg", of: unlessEmpty((all) => sum(all) / all.length) },
  {
    type: "trend",
    aggregation: "p(50)",
    of: unlessEmpty((all) => [...all].sort((a, b) => a - b)[Math.ceil(all.length / 2) - 1]!),
    divisor: 1000,
  },
];
const operators: Readonly<Record<string, (actual: number, bound: number) => boolean>> = {
  "<": (actual, bound) => actual < bound,
  "<=": (actual, bound) => actual <= bound,
  ">": (actual, bound) => actual > bound,
  ">=": (actual, bound) => actual >= bound,
  "==": (actual, bound) => actual === bound,
  "!=": (actual, bound) => actual !== bound,
};

/** Judges every full window, one after the other, by the definition. */
function bruteForce(
  { of }: Case,
  operator: string,
  bound: number,
  width: number,
  seconds: readonly (readonly number[])[],
) {
  const readings = seconds.flatMap((_, index) => {
    const end = index + 1;
    if (end < width) return [];
    const samples = seconds.slice(end - width, end).flat();
    const actual = of(samples, width);
    if (actual === null) return [];
    return [
      {
        endMs: end * 1000,
        actual,
        samples: samples.length,
        censoredSamples: 0,
        passed: operators[operator]!(actual, bound),
      },
    ];
  });
  const failed = readings.find(({ passed }) => !passed);
  if (failed !== undefined) return failed;
  const values = readings.map(({ actual }) => actual);
  const worst = operator.startsWith("<") ? Math.max(...values) : Math.min(...values);
  const isFromBound = operator.startsWith("<") || operator.startsWith(">");
  return (isFromBound ? readings.find(({ actual }) => actual === worst) : readings.at(-1)) ?? null;
}

describe("a window's threshold", () => {
  test.each(cases)("on $aggregation of a $type agrees with brute force", (judged) => {
    const seconds = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(...Object.keys(operators)),
        fc.integer({ min: 0, max: 12 }),
        (whole, width, operator, wholeBound) => {
          const { divisor = 1 } = judged;
          const samples = whole.map((second) => second.map((sample) => sample / divisor));
          const bound = wholeBound / divisor;
          const window = windowOf(judged.type, `${judged.aggregation}${operator}${bound}`, width);
          const expected = bruteForce(judged, operator, bound, width, samples);
          const reading = judge(window, judged.type, samples).reading;
          if (expected === null || reading === null) expect(reading).toEqual(expected);
          else {
            expect(reading).toEqual({ ...expected, actual: reading.actual });
            expect(reading.actual).toBeCloseTo(expected.actual, 9);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("fails at the first full window that fails, even if the whole run would pass", () => {
    const slow = [5, 5, 900, 900, 5, 5, 5, 5, 5, 5].map((ms) => Array.from({ length: 100 }, () => ms));
    const failed = judge(windowOf("trend", "p(75)<500", 2), "trend", slow).reading;
    expect(failed).toMatchObject({ endMs: 3000, passed: false, samples: 200 });
    expect(failed?.actual).toBeCloseTo(900, 0);
    expect(judge(windowOf("trend", "p(75)<500", 10), "trend", slow).reading).toMatchObject({ passed: true });
  });

  test("forgets cut-off samples when their second leaves the window", () => {
    const window = windowOf("trend", "max>0", 2);
    for (const [second, samples] of [[1, 9], [1], [1], [1, 8, 9]].entries()) {
      window.add(second, deltaWith("trend", samples, 8));
      window.advance(second + 1, 4000);
    }
    // The worst window is the one whose greatest sample is the least: it contains no cut-off sample.
    expect(window.reading).toMatchObject({ passed: true, endMs: 3000, actual: 1, censoredSamples: 0 });
    const bounded = judge(windowOf("trend", "max<10", 2), "trend", [[1], [1], [1, 8, 9], [1]], 8);
    expect(bounded.reading).toMatchObject({ passed: false, endMs: 3000, actual: 9, censoredSamples: 2 });
  });

  test("does not judge the time in which iterations only finish", () => {
    const window = windowOf("counter", "rate>=5", 2);
    for (let second = 0; second < 6; second++) {
      if (second < 4) window.add(second, deltaWith("counter", [5]));
      window.advance(second + 1, 4000);
    }
    expect(window.reading).toMatchObject({ passed: true, actual: 5, endMs: 2000 });
  });

  test("waits to judge a window until iterations are known to have started up to its end", () => {
    const window = windowOf("counter", "count>=5", 1);
    window.add(0, deltaWith("counter", [5]));
    window.advance(3, 500);
    expect([window.reading, window.hasFailed]).toEqual([null, false]);
    window.advance(3, 1000);
    expect(window.reading).toMatchObject({ passed: true });
    window.advance(3, 2100);
    expect(window.reading).toMatchObject({ passed: false, endMs: 2000, actual: 0, samples: 0 });
  });

  test("adds up what several workers gathered in a second", () => {
    const window = windowOf("counter", "count<=7", 1);
    for (const total of [1, 2, 4]) window.add(0, deltaWith("counter", [total]));
    window.advance(1, 1000);
    expect(window.reading).toMatchObject({ actual: 7, samples: 3 });
  });

  test("is not judged on an aggregation that its metric lacks", () => {
    expect(judge(windowOf("trend", "value>=0", 1), "trend", [[1], [2]]).reading).toBeNull();
  });

  test("counts samples that come too late for their second in the first second that is not over", () => {
    const late = fc.tuple(fc.nat(20), fc.nat(20)).map(([second, lateness]) => ({ second, lateness }));
    fc.assert(
      fc.property(fc.array(late, { minLength: 1, maxLength: 30 }), (arrivals) => {
        const window = windowOf("counter", "count>=0", 51);
        for (let now = 0; now <= 50; now++) {
          for (const { second, lateness } of arrivals) {
            if (second + lateness === now) window.add(second, deltaWith("counter", [1]));
          }
          window.advance(now, 1e9);
        }
        window.advance(51, 1e9);
        expect(window.reading?.actual).toBe(arrivals.length);
      }),
    );
  });

  test("keeps no second beyond its width, and nothing once a window has failed", () => {
    const window = windowOf("counter", "count<100", 3);
    for (let second = 0; second < 10; second++) {
      window.add(second, deltaWith("counter", [1]));
      window.advance(second + 1, 1e9);
    }
    expect(window.secondsKept).toBe(3);
    window.add(10, deltaWith("counter", [1]));
    expect(window.secondsKept).toBe(4);
    window.add(11, deltaWith("counter", [100]));
    window.add(12, deltaWith("counter", [1]));
    window.advance(12, 1e9);
    expect([window.hasFailed, window.secondsKept]).toEqual([true, 0]);
    window.add(13, deltaWith("counter", [1]));
    expect(window.secondsKept).toBe(0);
  });

  describe("with samples that came after the last full window", () => {
    /** Judges seconds of samples, of which the first `full` are in full windows. */
    const judgeTail = (
      text: string,
      seconds: readonly (readonly number[])[],
      { full, width = 1, advancesTo = 0 }: { full: number; width?: number; advancesTo?: number },
    ) => {
      const type = text.startsWith("rate") ? "rate" : "trend";
      const window = windowOf(type, text, width);
      for (const [second, samples] of seconds.entries())
        if (samples.length > 0) window.add(second, deltaWith(type, samples));
      for (let second = 1; second <= advancesTo; second++) window.advance(second, full * 1000);
      window.finish(full * 1000);
      return window.reading;
    };

    test.each([0, 1, 2, 4])("counts them in it, if %i seconds were over before the end", (advancesTo) => {
      const options = { full: 2, width: 2, advancesTo };
      expect(judgeTail("max<1", [[0.1], [0.2], [], [3], [0.5]], options)).toMatchObject({
        passed: false,
        actual: 3,
        samples: 3,
        endMs: 2000,
      });
      expect(judgeTail("rate<40%", [[0, 0], [0], [1], [1]], options)).toMatchObject({
        passed: false,
        actual: 0.4,
        samples: 5,
        endMs: 2000,
      });
      expect(judgeTail("max<9", [[0.1], [0.2], [], [3]], options)).toMatchObject({
        passed: true,
        actual: 3,
        samples: 3,
      });
    });

    test("judges the window also without them: fast ones cannot hide slow ones", () => {
      const slow = judgeTail("p(50)<1", [[5], [0.1, 0.1, 0.1]], { full: 1 });
      expect(slow).toMatchObject({ passed: false, actual: 5, samples: 1 });
      const slowTail = judgeTail("p(50)<1", [[0.1], [5, 5], Array.from({ length: 9 }, () => 0.1)], {
        full: 1,
      });
      expect(slowTail).toMatchObject({ passed: false, actual: 5, samples: 3 });
    });

    test("leaves them out of a trend's count, which would be that of more than the window", () => {
      const [one, two] = [[1], [1, 1]];
      expect(judgeTail("count<=2", [two, two], { full: 1 })).toMatchObject({ passed: true, actual: 2 });
      expect(judgeTail("count>=2", [one, two], { full: 1 })).toMatchObject({ passed: false, actual: 1 });
    });

    test("has no reading in a run that is shorter than the window", () => {
      expect(judgeTail("max<1", [[0.1], [3]], { full: 1, width: 2 })).toBeNull();
    });
  });

  test("stays failed once it has failed", () => {
    const window = judge(windowOf("rate", "rate<50%", 1), "rate", [[0], [1], [0], [0]]);
    window.add(4, deltaWith("rate", [0, 0, 0]));
    window.advance(9, 9000);
    expect(window.reading).toEqual({ endMs: 2000, passed: false, actual: 1, samples: 1, censoredSamples: 0 });
  });

  test("does not count as failed before a sample arrived, even if an empty window failed", () => {
    const window = windowOf("counter", "count>0", 1);
    window.advance(2, 1e9);
    expect(window.hasFailed).toBe(false);
    window.add(2, deltaWith("counter", [1]));
    expect(window.hasFailed).toBe(true);
  });
});
