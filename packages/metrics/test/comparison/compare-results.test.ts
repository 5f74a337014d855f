import type { ThresholdResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { compareResults, type ComparisonRules } from "../../src/comparison/compare-results.ts";
import { thisRun, type NamedRun } from "../../src/comparison/comparable.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";
import { schemaErrors } from "../../../cli/test/published-schema.ts";
import { simulateResult, simulateSide, type SimulatedResult } from "./simulated-results.ts";

const usual: ComparisonRules = {
  tolerance: 0.05,
  rateTolerance: 0.005,
  runNoise: 0.05,
  isAnyMachine: false,
  isAnyGenerator: false,
  isAnyRedirect: false,
  isAnySize: false,
  failsOnUndecided: false,
};

function compare(
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  rules: Partial<ComparisonRules> = {},
): ComparisonResult {
  return compareResults(
    base,
    other,
    { ...usual, ...rules },
    { tool: { name: "bearhug", version: "0.1.0" }, random: () => randomSource(1, 0), failedCode: 99 },
  );
}

const quiet: SimulatedResult = { seed: 1, seconds: 30, requestsPerSecond: 300 };
const base = simulateSide("base", [quiet]);
const same = simulateSide("new", [{ ...quiet, seed: 2 }]);
const slower = simulateSide("new", [{ ...quiet, seed: 3, factor: 1.25 }]);

function answersOf({ figures }: ComparisonResult): string[] {
  return figures.map(({ metric, aggregation, answer }) => `${metric} ${aggregation} ${answer ?? ""}`);
}

function threshold(metric: string, expression: string): ThresholdResult {
  const judged = { passed: true, actual: 1, unit: null, samples: 1, window: null };
  return { metric, expression, ...judged, allowEmpty: false, source: null };
}

function withThresholds([run]: readonly NamedRun[], ...thresholds: readonly ThresholdResult[]): NamedRun[] {
  return run === undefined ? [] : [{ ...run, result: { ...run.result, thresholds } }];
}

function withoutRequests(side: readonly NamedRun[]): NamedRun[] {
  return side.map(({ result, ...run }) => {
    const { http_req_duration: _, ...metrics } = result.metrics;
    return { ...run, result: { ...result, metrics } };
  });
}

/** Adds rates with the same share in each second. */
function withRates(side: readonly NamedRun[], shares: Readonly<Record<string, number>>): NamedRun[] {
  const perSecond = 200;
  return side.map(({ result, ...run }) => {
    const rates = Object.entries(shares).map(([metric, rate]) => {
      const passes = Math.round(rate * perSecond) * result.intervals.length;
      const values = { rate, passes, fails: perSecond * result.intervals.length - passes };
      const blocks = result.intervals.map(() => [Math.round(rate * perSecond), perSecond] as const);
      return { metric, values, blocks };
    });
    const series = rates.map((one) => ({ ...one, tags: { scenario: "default" }, histogram: null }));
    const metrics = rates.map(
      ({ metric, values }) => [metric, { type: "rate", unit: null, values }] as const,
    );
    return {
      ...run,
      result: {
        ...result,
        series: [...result.series, ...series],
        metrics: { ...result.metrics, ...Object.fromEntries(metrics) },
      },
    };
  });
}

describe("without thresholds, median, p95 and failures of requests decide", () => {
  test("similar runs are ok", () => {
    const comparison = compare(base, same, { tolerance: 0.1 });
    expect(answersOf(comparison)).toEqual([
      "http_req_duration p(50) ok",
      "http_req_duration p(95) ok",
      "http_req_failed rate ok",
    ]);
    expect(comparison).toMatchObject({ verdict: "ok", exitCode: 0, runNoise: 0.05 });
    expect(schemaErrors("comparison.schema.json", comparison)).toEqual([]);
  });

  test("a quarter slower is a regression, which is reported with its size and fails", () => {
    const comparison = compare(base, slower);
    expect(comparison).toMatchObject({ verdict: "regressed", exitCode: 99 });
    expect(answersOf(comparison)).toContain("http_req_duration p(95) regressed");
    expect(comparison.messages[0]).toMatch(
      /^http_req_duration p\(\d+\) rose by 2\d\.\d % \(interval \+\d+\.\d to \+\d+\.\d %\)\. The tolerance is 5 %\.$/,
    );
  });

  test("a quarter faster is ok", () => {
    expect(compare(slower, base).verdict).toBe("ok");
  });

  test("a change about as large as the tolerance is undecided, which fails only on request", () => {
    const other = simulateSide("new", [{ ...quiet, seed: 4, factor: 1.05 }]);
    expect(compare(base, other)).toMatchObject({ verdict: "undecided", exitCode: 0 });
    expect(compare(base, other, { failsOnUndecided: true })).toMatchObject({ exitCode: 99 });
  });

  test("the count of a trend is compared per second, and not as a time", () => {
    const judged = (side: readonly NamedRun[]): NamedRun[] =>
      withThresholds(side, threshold("http_req_duration", "count>100"));
    const fewer = simulateSide("new", [{ ...quiet, seed: 3, requestsPerSecond: 200 }]);
    const { figures } = compare(judged(base), judged(fewer));
    expect(figures.map(({ aggregation }) => aggregation)).toEqual(["count", "p(50)", "p(95)", "rate"]);
    expect(figures[0]).toMatchObject({ aggregation: "count", unit: "/s", answer: "regressed" });
    expect(figures[0]?.base).toBeCloseTo(300, 5);
    expect(figures[0]?.new).toBeCloseTo(200, 5);
  });

  test("more failures are a regression, in percentage points", () => {
    const other = simulateSide("new", [{ ...quiet, seed: 5, failedShare: 0.03 }]);
    const { figures, verdict } = compare(base, other);
    expect(verdict).toBe("regressed");
    expect(figures.at(-1)).toMatchObject({
      metric: "http_req_failed",
      change: "points",
      answer: "regressed",
    });
  });

  test("sides without failures are equal, and a note says what difference could go unnoticed", () => {
    const few = { ...quiet, requestsPerSecond: 4 };
    const { figures, notes } = compare(
      simulateSide("base", [few]),
      simulateSide("new", [{ ...few, seed: 2, seconds: 60 }]),
    );
    const { interval, ...failed } = figures.at(-1) ?? {};
    expect(failed).toMatchObject({ base: 0, new: 0, difference: 0, answer: "ok" });
    // The rule of three: 3 of 120, and 3 of 240.
    expect(interval?.[0]).toBeCloseTo(-3 / 120, 3);
    expect(interval?.[1]).toBeCloseTo(3 / 240, 3);
    expect(notes).toContain(
      "http_req_failed rate is 0 % on both sides. With 120 and 240 samples, a difference of up to 2.47 points could go unnoticed (95 % confidence).",
    );
    expect(compare(base, same).notes.join()).not.toContain("on both sides");
  });

  test("in runs that are too short to compare times, equal failures are equal", () => {
    const short = { ...quiet, seconds: 3 };
    const { figures } = compare(simulateSide("base", [short]), simulateSide("new", [{ ...short, seed: 2 }]));
    expect(figures.map(({ answer }) => answer)).toEqual(["undecided", "undecided", "ok"]);
  });

  test("sides on which all requests failed are equal, and a few failures on one side are a difference", () => {
    const failing = (failedShare: number, seed: number): NamedRun[] =>
      simulateSide(`side-${seed}`, [{ ...quiet, seed, failedShare }]);
    const all = compare(failing(1, 1), failing(1, 2)).figures.at(-1);
    expect(all).toMatchObject({ base: 1, new: 1, difference: 0, answer: "ok" });
    expect(compare(failing(0, 1), failing(0.02, 2)).figures.at(-1)?.difference).toBeGreaterThan(0);
  });
});

describe("the interval", () => {
  const widthOf = ({ figures: [first] }: ComparisonResult): number =>
    (first?.interval?.[1] ?? 0) - (first?.interval?.[0] ?? 0);

  test("allows for noise between runs if a side has a single run, and a note says so", () => {
    const wide = compare(base, same);
    const narrow = compare(base, same, { runNoise: 0 });
    expect(widthOf(wide)).toBeGreaterThan(2 * widthOf(narrow));
    expect(wide.notes).toEqual([expect.stringMatching(/^Each side has a single run, .* allow for 5 %/)]);
  });

  test("comes from the runs if both sides have several", () => {
    const runs = (first: number): SimulatedResult[] =>
      [0, 1, 2, 3].map((at) => ({ ...quiet, seconds: 10, seed: first + at, runNoise: 0.03 }));
    const comparison = compare(simulateSide("base", runs(10)), simulateSide("new", runs(20)));
    expect(comparison).toMatchObject({ runNoise: null, notes: [] });
    expect(widthOf(comparison)).toBeGreaterThan(0.04);
    expect(comparison.base.runs).toHaveLength(4);
  });

  test("is the same each time", () => {
    expect(compare(base, slower)).toEqual(compare(base, slower));
  });
});

describe("thresholds", () => {
  test("determine which figures decide, and in which direction each is worse", () => {
    const judged = withThresholds(
      same,
      threshold("http_req_duration", "p(90)<1s"),
      threshold("http_req_duration", "avg<1s"),
      threshold("http_req_failed", "rate>=0%"),
      threshold("checks", "rate==100%"),
      threshold("http_req_duration", "max<9s"),
    );
    const { figures, notes } = compare(base, judged);
    expect(figures.map(({ aggregation, worse }) => [aggregation, worse])).toEqual([
      ["p(90)", "higher"],
      ["avg", "higher"],
      ["rate", "lower"],
    ]);
    expect(notes.slice(-2)).toEqual([
      "checks: rate==100% is not compared: == has no direction that is worse; write >= or <=.",
      "http_req_duration: max<9s is not compared: it judges no percentile, mean or rate.",
    ]);
  });

  test("on a figure that should be high report by how much it fell", () => {
    const failing = simulateSide("base", [{ ...quiet, seed: 5, failedShare: 0.3 }]);
    const { messages } = compare(failing, withThresholds(same, threshold("http_req_failed", "rate>=1%")));
    expect(messages).toEqual([expect.stringMatching(/^http_req_failed rate fell by [23]\d\.\d+ points? /)]);
  });

  test("on rates alone do not hide times: the median and p95 of requests decide, too", () => {
    const onRates = [threshold("http_req_failed", "rate<1%"), threshold("http_reqs", "rate>1")];
    const { verdict, figures } = compare(base, withThresholds(slower, ...onRates));
    expect(verdict).toBe("regressed");
    expect(figures.map(({ metric, aggregation }) => `${metric} ${aggregation}`)).toEqual([
      "http_req_failed rate",
      "http_reqs rate",
      "http_req_duration p(50)",
      "http_req_duration p(95)",
    ]);
    const onTime = withThresholds(slower, ...onRates, threshold("http_req_duration{name:GET /}", "p(95)<5s"));
    expect(compare(base, onTime).figures.map(({ metric }) => metric)).toEqual([
      "http_req_failed",
      "http_reqs",
      "http_req_duration{name:GET /}",
    ]);
  });

  test("on rates of a test without requests compare no times, and a note says so", () => {
    const ofVisits = threshold("iteration_failed", "rate<1%");
    const [one, two] = [base, same].map((side) => withoutRequests(withThresholds(side, ofVisits)));
    expect(compare(one ?? base, two ?? same).notes).toContain(
      "no time is compared, because the test has no threshold on one: add one, such as http_req_duration: p(95)<5s.",
    );
    expect(compare(base, withThresholds(same, ofVisits)).notes.join()).not.toContain("no time");
  });

  test("on times alone do not hide failures: those of all requests decide, too", () => {
    const failing = simulateSide("new", [{ ...quiet, seed: 5, factor: 0.8, failedShare: 0.03 }]);
    const time = threshold("http_req_duration", "p(95)<1s");
    const comparison = compare(base, withThresholds(failing, time));
    expect(comparison.figures.map(({ metric, answer }) => [metric, answer])).toEqual([
      ["http_req_duration", "ok"],
      ["http_req_failed", "regressed"],
    ]);
    expect(comparison).toMatchObject({ verdict: "regressed", exitCode: 99 });
    const failures = threshold("http_req_failed{name:GET /}", "rate<1%");
    expect(compare(base, withThresholds(failing, time, failures)).figures).toHaveLength(2);
  });

  test("on other figures do not hide checks and iterations that fail, which decide if any of either side did", () => {
    const time = threshold("http_req_duration", "p(95)<1s");
    const passing = withRates(base, { checks: 1, iteration_failed: 0 });
    const alike = withRates(same, { checks: 1, iteration_failed: 0 });
    expect(answersOf(compare(passing, alike, { tolerance: 0.1 }))).toHaveLength(3);
    const rates = { checks: 0.9, iteration_failed: 0.04 };
    const failing = compare(passing, withRates(withThresholds(same, time), rates));
    expect(answersOf(failing).slice(1)).toEqual([
      "http_req_failed rate ok",
      "checks rate regressed",
      "iteration_failed rate regressed",
    ]);
    expect(failing).toMatchObject({ verdict: "regressed", exitCode: 99 });
    expect(failing.messages.join("\n")).toMatch(/^checks rate fell by 10\.\d* points/m);
    const asBad = compare(withRates(base, rates), withRates(same, rates), { tolerance: 0.1 });
    expect(asBad.figures.slice(3).map(({ metric }) => metric)).toEqual(["checks", "iteration_failed"]);
    expect(asBad.verdict).not.toBe("regressed");
    const better = compare(withRates(base, rates), alike, { tolerance: 0.1 });
    expect(answersOf(better).slice(3)).toEqual(["checks rate ok", "iteration_failed rate ok"]);
    const own = withThresholds(same, time, threshold("checks{page:home}", "rate>1%"));
    expect(answersOf(compare(passing, withRates(own, rates)))).not.toContain("checks rate regressed");
  });

  test("on figures without samples or blocks are undecided, with the reason", () => {
    const judged = withThresholds(
      same,
      threshold("http_req_duration{page:home}", "p(95)<1s"),
      threshold("http_req_duration{name:GET /}", "p(95)<1s"),
    );
    const { figures } = compare(base, judged);
    expect(figures.map(({ answer, reason }) => [answer, reason])).toEqual([
      ["undecided", "base-1.json has no sample of it."],
      ["undecided", expect.stringMatching(/^base-1.json cannot be resampled for this figure/)],
      ["ok", undefined],
    ]);
  });
});

test("runs on different processors are undecided, unless that is allowed", () => {
  const on = (runs: readonly NamedRun[], cpu: string): NamedRun[] =>
    runs.map(({ name, result }) => ({
      name,
      result: { ...result, environment: { ...result.environment, cpu } },
    }));
  const [one, two] = [on(base, "EPYC 7763"), on(slower, "Xeon 8370C")];
  const comparison = compare(one, two);
  expect(comparison).toMatchObject({ verdict: "undecided", exitCode: 0 });
  expect(comparison.messages[0]).toBe(
    "base-1.json ran on EPYC 7763, new-1.json on Xeon 8370C. Times of different machines cannot be compared. To compare anyway, add --allow machine.",
  );
  expect(compare(one, two, { isAnyMachine: true }).verdict).toBe("regressed");
});

describe("two targets that took turns", () => {
  /** Simulates one result with the samples of both, in blocks of a second, and returns its two sides. */
  function takeTurns(changed: Partial<SimulatedResult>): [NamedRun[], NamedRun[]] {
    const shared = { ...quiet, commonWave: 0.1, commonSeed: 1 };
    const sides = { base: shared, new: { ...shared, seed: 2, ...changed } };
    const results = Object.entries(sides).map(([variant, run]) => ({ variant, result: simulateResult(run) }));
    const series = results.flatMap(({ variant, result }) =>
      result.series.map((one) => ({
        ...one,
        tags: { ...one.tags, variant },
        blocks: result.intervals.map(({ duration, http_reqs, http_reqs_failed }) =>
          one.metric === "http_req_failed" ? ([http_reqs_failed, http_reqs] as const) : duration,
        ),
      })),
    );
    const [first] = results;
    if (first === undefined) throw new TypeError("no side");
    const result = { ...first.result, series };
    const side = (variant: string): NamedRun[] => [{ name: "this run", result, variant }];
    return [side("base"), side("new")];
  }

  test("are distinguished by far smaller differences than runs are, whatever happened to both", () => {
    const rules = { tolerance: 0.01, runNoise: 0 };
    const comparison = compare(...takeTurns({ factor: 1.05 }), rules);
    expect(comparison).toMatchObject({ verdict: "regressed", sides: "turns", runNoise: null, notes: [] });
    expect(compare(...takeTurns({}), rules).verdict).not.toBe("regressed");
  });
});

describe("a side that was down for a while", () => {
  const gone = same.map((run): NamedRun => ({
    ...run,
    result: {
      ...run.result,
      intervals: run.result.intervals.map((interval, at) =>
        at < 10 ? interval : { ...interval, http_reqs: 0, duration: null, responseTime: null },
      ),
    },
  }));

  test("has regressed if it is the new one, even if its times before were similar", () => {
    const comparison = compare(base, gone, { tolerance: 0.1 });
    expect(comparison).toMatchObject({ verdict: "regressed", exitCode: 99 });
    expect(comparison.messages[0]).toMatch(/^In new-1\.json, no request succeeded from 10\.0 s to 30\.0 s\./);
    expect(comparison.figures.map(({ answer }) => answer)).not.toContain("ok");
  });

  test("leaves the answer undecided if it is the base", () => {
    expect(compare(gone, base, { tolerance: 0.1 }).verdict).toBe("undecided");
  });
});

test("a run that had failed for another reason than a threshold is noted, because its times may look good", () => {
  const lost = "the planned load was not reached: the virtual users of visits lost 50 % of their time";
  const failed = (...messages: string[]): NamedRun[] =>
    same.map((run) => ({ ...run, result: { ...run.result, verdict: "failed", exitCode: 99, messages } }));
  const missed = "threshold failed: http_reqs: count>9 (was 1)";
  expect(compare(base, failed(missed, lost)).notes[0]).toBe(`${same[0]?.name} had failed by itself: ${lost}`);
  const busy = "the load generator was saturated: this machine was the limit";
  expect(compare(base, failed(missed, busy)).notes.join()).not.toContain("by itself");
  const justEnded = failed(lost).map((run) => ({ ...run, name: thisRun }));
  expect(compare(base, justEnded).notes.join()).not.toContain("by itself");
});
