import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import {
  aggregationName,
  parseCondition,
  ThresholdSyntaxError,
  type Aggregation,
} from "../../src/thresholds/threshold-language.ts";

function errorOf(expression: string): ThresholdSyntaxError {
  try {
    parseCondition(expression);
  } catch (error) {
    if (error instanceof ThresholdSyntaxError) return error;
    throw error;
  }
  throw new Error(`${expression} was read`);
}

describe("parseCondition", () => {
  test.for([
    ["p(95)<300ms", "p(95)", "<", 300, "ms"],
    ["p(99.9)<=1.5s", "p(99.9)", "<=", 1500, "s"],
    ["p95<1m", "p(95)", "<", 60_000, "m"],
    ["p( 95 )<1", "p(95)", "<", 1, null],
    ["p(0)>0", "p(0)", ">", 0, null],
    ["p(100)<9s", "p(100)", "<", 9000, "s"],
    ["rate<1%", "rate", "<", 0.01, "%"],
    ["rate<7%", "rate", "<", 0.07, "%"],
    ["rate>0.99", "rate", ">", 0.99, null],
    ["count>=2k", "count", ">=", 2000, "k"],
    ["count===0", "count", "==", 0, null],
    ["value!=-3", "value", "!=", -3, null],
    [" avg  <  10 ", "avg", "<", 10, null],
    ["min>1ms", "min", ">", 1, "ms"],
    ["max<5s", "max", "<", 5000, "s"],
    ["med==200ms", "med", "==", 200, "ms"],
    ["max<1.5kB", "max", "<", 1500, "kB"],
    ["max<2MB", "max", "<", 2e6, "MB"],
    ["max<4GB", "max", "<", 4e9, "GB"],
  ] as const)("reads %j", ([text, aggregation, operator, bound, unit]) => {
    const condition = parseCondition(text);
    expect(condition).toMatchObject({ operator, bound, unit });
    expect(aggregationName(condition.aggregation)).toBe(aggregation);
  });

  test.for([
    ["", 0],
    ["mean<5", 0],
    ["<5", 0],
    ["p<5", 0],
    ["counter<5", 5],
    ["avg", 3],
    ["avg=5", 3],
    ["avg=<5", 3],
    ["avg<>5", 4],
    ["avg<", 4],
    ["avg<fast", 4],
    ["avg<.5", 4],
    ["avg<0x10", 5],
    ["avg<1e3", 5],
    ["avg<5 ms", 6],
    ["avg<5sec", 6],
    ["avg<5h", 5],
    ["rate<1%%", 7],
    ["p(950)<1s", 2],
    ["p(-1)<1s", 2],
    ["p()<1s", 2],
    ["p(95<1s", 4],
    ["p950<1s", 1],
    ["p(95)", 5],
    ["p(95)<1s p(99)<2s", 9],
  ] as const)("refuses %j at index %d", ([expression, offset]) => {
    expect(errorOf(expression)).toMatchObject({ code: "INVALID_THRESHOLD", expression, offset });
  });

  test("says what it expected, and at which character, counted from 1", () => {
    expect(errorOf("p(950)<1s").message).toBe(
      'Threshold "p(950)<1s": expected a percentile from 0 to 100 at character 3.',
    );
    expect(errorOf("avg 5").message).toBe(
      'Threshold "avg 5": expected an operator (<, <=, >, >=, ==, !=) at character 5.',
    );
  });

  const aggregation: fc.Arbitrary<Aggregation> = fc.oneof(
    fc
      .constantFrom(...(["count", "rate", "value", "avg", "min", "max", "med"] as const))
      .map((kind) => ({ kind })),
    fc.integer({ min: 0, max: 100_000 }).map((n) => ({ kind: "percentile" as const, percentile: n / 1000 })),
  );

  test("suggests what was probably meant, if that can be parsed", () => {
    expect(errorOf("p(95)<2 sec").message).toContain('did you mean "p(95)<2s"?');
    expect(errorOf("rate<1 percent").message).toContain('did you mean "rate<1%"?');
    expect(errorOf("mean<2 sec").message).toContain("expected an aggregation");
    expect(errorOf("avg<5x").message).toContain(
      "expected a unit (ms, s, m, kB, MB, GB, k, %) or the end at character 6.",
    );
    expect(errorOf("avg<5ms x").message).toContain("expected the end at character 9.");
  });

  test("reads back every expression that is written as documented", () => {
    const operator = fc.constantFrom("<", "<=", ">", ">=", "==", "!=");
    const unit = fc.constantFrom("", "ms", "s", "m", "k", "%");
    const blank = fc.constantFrom("", " ", "  ");
    fc.assert(
      fc.property(aggregation, operator, fc.integer(), unit, blank, (wanted, sign, value, suffix, space) => {
        const text = `${aggregationName(wanted)}${space}${sign}${space}${value}${suffix}`;
        const read = parseCondition(text);
        expect(read.aggregation).toEqual(wanted);
        expect(read.operator).toBe(sign);
        expect(read.unit ?? "").toBe(suffix);
        const factor = { "": 1, ms: 1, s: 1000, m: 60_000, k: 1000, "%": 0.01 }[suffix];
        expect(read.bound).toBeCloseTo(value * factor, 6);
      }),
    );
  });

  test("throws nothing but its own error, with an offset within the expression", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^(p\(?95\)?|avg|rate)?[<>=! ]{0,3}[0-9. -]{0,4}(ms|s|%|x)?$/),
    );
    fc.assert(
      fc.property(text, (anything) => {
        try {
          expect(parseCondition(anything).bound).not.toBeNaN();
        } catch {
          const { offset } = errorOf(anything);
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(anything.length);
        }
      }),
    );
  });
});
