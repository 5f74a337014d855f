import { describe, expect, test } from "vitest";

import { overloadOf } from "../../src/test-file/overload.ts";
import { readRunOptions, type WrittenOptions } from "../../src/test-file/run-options.ts";
import { constantVus, plan, testOf } from "./tests-for-plans.ts";

function problemsOf(written: WrittenOptions): string[] {
  const problems: string[] = [];
  readRunOptions({ seed: "1", ...written }, problems);
  return problems;
}

describe("--overload", () => {
  test.for([
    [{ overload: "1" }, "--overload 1: must be a factor above 1, at most 100, such as 1.5."],
    [{ overload: "1e2" }, "--overload 1e2: must be a factor above 1, at most 100, such as 1.5."],
    [{ overload: "101" }, "--overload 101: must be a factor above 1, at most 100, such as 1.5."],
    [
      { overload: "2", duration: "14s" },
      "--duration 14 s: is too short for the three phases of --overload. Use 15 s or more.",
    ],
    [
      { overload: "2", iterations: "9" },
      "--iterations: --overload lasts for a time; set it with --duration.",
    ],
  ] as const)("refuses %o", ([written, problem]) => {
    expect(problemsOf({ rate: "50", ...written })).toEqual([problem]);
  });

  test("refuses a load without a rate, and variants", () => {
    const variant = ["a=X: 1", "b=X: 2"];
    expect(problemsOf({ overload: "2", variant })).toEqual([
      "--overload: needs a rate to go past. Add --rate, such as the one that bearhug capacity finds.",
      "--variant: cannot be used with --overload; give one of them.",
    ]);
  });

  test("has phases of a third of the duration, of 30 s if none is given", () => {
    const planOf = (written: WrittenOptions) => overloadOf(readRunOptions({ seed: "1", ...written }, []));
    expect(planOf({ rate: "600/m", overload: "1.5" })).toEqual({ rate: 10, factor: 1.5, phaseMs: 10_000 });
    expect(planOf({ rate: "5", overload: "2", duration: "15s" })?.phaseMs).toBe(5000);
    expect(planOf({ rate: "5" })).toBeNull();
  });

  test("makes stages at the rate, past it, and back; a warm-up comes before them", () => {
    const written = { rate: "40", overload: "1.5", duration: "30s", warmup: "2s", vus: "9" };
    expect(plan(testOf([constantVus("r")]), written).plan.scenarios[0]?.scenario).toMatchObject({
      executor: "ramping-arrival-rate",
      name: "r",
      startTimeMs: 0,
      startRate: 40,
      timeUnitMs: 1000,
      maxVUs: 9,
      stages: [
        { target: 40, durationMs: 12_000 },
        { target: 60, durationMs: 0 },
        { target: 60, durationMs: 10_000 },
        { target: 40, durationMs: 0 },
        { target: 40, durationMs: 10_000 },
      ],
    });
  });
});
