import { describe, expect, test } from "vitest";

import {
  evaluateThreshold,
  parseCondition,
  type ThresholdOperator,
} from "../../src/thresholds/threshold-language.ts";
import { createAccumulator, type Accumulator, Counter, Gauge, Rate } from "../../src/accumulator.ts";
import { Trend } from "../../src/trend.ts";

function judge(
  expression: string,
  selected: Accumulator | undefined,
  durationMs = 10_000,
  allowEmpty = false,
) {
  return evaluateThreshold({ condition: parseCondition(expression), allowEmpty }, selected, durationMs);
}

function trend(...values: number[]): Trend {
  const filled = new Trend(3);
  for (const value of values) filled.add(value);
  return filled;
}

function rate(trues: number, samples: number): Rate {
  const filled = new Rate();
  for (let index = 0; index < samples; index++) filled.add(index < trues);
  return filled;
}

/** Returns the rate of a window with one failed sample, and corrections of samples before it. */
function corrected(corrections: number): Rate {
  const filled = rate(1, 1);
  for (let index = 0; index < corrections; index++) filled.correct();
  return filled;
}

function counter(total: number): Counter {
  const filled = new Counter();
  filled.add(total);
  return filled;
}

function gauge(...values: number[]): Gauge {
  const filled = new Gauge();
  for (const value of values) filled.add(value);
  return filled;
}

describe("a threshold's actual value", () => {
  test.each([
    { expression: "count<1", selected: counter(50), actual: 50, samples: 1 },
    { expression: "rate<1", selected: counter(50), actual: 5, samples: 1 },
    { expression: "value<1", selected: gauge(3, 9, 4), actual: 4, samples: 3 },
    { expression: "avg<1", selected: gauge(3, 9, 6), actual: 6, samples: 3 },
    { expression: "min<1", selected: gauge(3, 9, 6), actual: 3, samples: 3 },
    { expression: "max<1", selected: gauge(3, 9, 6), actual: 9, samples: 3 },
    { expression: "rate<1%", selected: rate(1, 4), actual: 0.25, samples: 4 },
    { expression: "rate<1%", selected: corrected(1), actual: 1, samples: 1 },
    { expression: "avg<1", selected: trend(1, 2, 6), actual: 3, samples: 3 },
    { expression: "min<1", selected: trend(4.5, 2.25), actual: 2.25, samples: 2 },
    { expression: "max<1", selected: trend(4.5, 2.25), actual: 4.5, samples: 2 },
    { expression: "med<1", selected: trend(1, 2, 9), actual: 2, samples: 3 },
    {
      expression: "p(90)<1",
      selected: trend(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
      actual: 0.9,
      samples: 10,
    },
    { expression: "p95<1", selected: trend(7), actual: 7, samples: 1 },
    { expression: "count<1", selected: trend(1, 2, 3), actual: 3, samples: 3 },
  ])("of $expression on a $selected.type is $actual", ({ expression, selected, actual, samples }) => {
    expect(judge(expression, selected)).toMatchObject({ actual, samples });
  });

  test("of a counter's rate is the total per second of the time that passed", () => {
    expect(judge("rate>0", counter(90), 1500).actual).toBe(60);
  });
});

describe("a threshold", () => {
  const holds: Readonly<Record<ThresholdOperator, readonly [below: boolean, at: boolean, above: boolean]>> = {
    "<": [true, false, false],
    "<=": [true, true, false],
    ">": [false, false, true],
    ">=": [false, true, true],
    "==": [false, true, false],
    "!=": [true, false, true],
  };
  test.each(Object.entries(holds))("compares with %s", (operator, expected) => {
    const passed = [9, 10, 11].map((total) => judge(`count${operator}10`, counter(total)).passed);
    expect(passed).toEqual(expected);
  });

  test("compares with === as with ==", () => {
    expect(judge("count===10", counter(10)).passed).toBe(true);
  });

  test.each([
    { expression: "p(95)<1s", selected: trend(999), passed: true },
    { expression: "p(95)<1s", selected: trend(1001), passed: false },
    { expression: "max<=1m", selected: trend(60_000), passed: true },
    { expression: "rate<1%", selected: rate(1, 100), passed: false },
    { expression: "rate<=1%", selected: rate(1, 100), passed: true },
    { expression: "count>=2k", selected: counter(2000), passed: true },
  ])("$expression takes units into account", ({ expression, selected, passed }) => {
    expect(judge(expression, selected).passed).toBe(passed);
  });

  test("fails without a sample, unless that is allowed", () => {
    for (const type of ["counter", "gauge", "rate", "trend"] as const) {
      const empty = createAccumulator(type, 3);
      for (const selected of [undefined, empty]) {
        expect(judge("count>=0", selected)).toEqual({
          passed: false,
          actual: null,
          samples: 0,
          censoredSamples: 0,
        });
        expect(judge("count>=0", selected, 1, true)).toEqual({
          passed: true,
          actual: null,
          samples: 0,
          censoredSamples: 0,
        });
      }
    }
  });

  test("fails on samples even if it may be empty", () => {
    expect(judge("p(95)<1ms", trend(5), 1, true).passed).toBe(false);
  });

  test.each([
    { expression: "p(50)<10ms", passed: true, actual: 0.4, censoredSamples: 0 },
    { expression: "p(90)<10ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)<=10ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)>1ms", passed: true, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)>1.2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)>=1.2ms", passed: true, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)>2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)>=2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)==1.2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)!=1ms", passed: true, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)!=1.2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "p(90)!=2ms", passed: false, actual: 1.2, censoredSamples: 2 },
    { expression: "max<10ms", passed: false, actual: 1.3, censoredSamples: 2 },
    { expression: "avg<10ms", passed: false, actual: 0.57, censoredSamples: 2 },
    { expression: "min<10ms", passed: true, actual: 0.4, censoredSamples: 0 },
    { expression: "count<11", passed: true, actual: 10, censoredSamples: 0 },
  ])("on cut-off samples holds only if that is certain: $expression", (row) => {
    const { expression, ...expected } = row;
    const cutOff = trend(...Array.from({ length: 8 }, () => 0.4));
    cutOff.addLowerBound(1.2);
    cutOff.addLowerBound(1.3);
    const { actual, ...judged } = judge(expression, cutOff);
    expect({ ...judged, actual: Number(actual?.toPrecision(4)) }).toEqual({ ...expected, samples: 10 });
  });

  test.each(["value>=0", "rate>=0"])("does not pass on %s, which a trend lacks", (expression) => {
    expect(judge(expression, trend(5))).toMatchObject({ passed: false, actual: null });
  });
});
