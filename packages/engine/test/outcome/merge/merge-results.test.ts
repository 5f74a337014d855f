import { parseResult, type TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { findContradictions } from "../../../src/outcome/contradictions/find-contradictions.ts";
import { gapOfRun } from "../../../src/outcome/merge/check-parts.ts";
import { checkResults, type ResultPart } from "../../../src/outcome/merge/check-results.ts";
import { mergeResults } from "../../../src/outcome/merge/merge-results.ts";
import { mergeRuns } from "../../../src/outcome/merge/merge-runs.ts";
import { rebuildRun } from "../../../src/outcome/rebuild-run.ts";
import type { RecordedRun } from "../../../src/outcome/run-record.ts";
import { lostWithShard } from "../../../src/outcome/verdict/cut-short.ts";
import { shardOf, thresholds as inWindows } from "./parts.ts";

const count = 3;
const whole = inWindows.map(({ threshold, source }) => ({
  threshold: { ...threshold, windowMs: null },
  source,
}));

/** Returns the result of one of three shards, as read from a file. */
async function resultOf(index: number, thresholds: RecordedRun["thresholds"] = []): Promise<ResultPart> {
  const { run, moments } = shardOf({ index, count, changes: { thresholds } });
  const { result } = parseResult(JSON.parse(JSON.stringify(await rebuildRun(run, moments))));
  if (result === undefined) throw new TypeError("no result");
  return { name: `part-${index + 1}.json`, result };
}

async function resultsOf(thresholds: RecordedRun["thresholds"] = []): Promise<[ResultPart, ...ResultPart[]]> {
  return [await resultOf(0, thresholds), await resultOf(1, thresholds), await resultOf(2, thresholds)];
}

const options = { allowsPartial: false, gaps: [] };

/**
 * Leaves out open connections and blocks, which merged recordings have, but merged results cannot have in
 * full.
 */
function withoutRest({ metrics, series, ...result }: TestResult) {
  const { connections_open: _, ...rest } = metrics;
  return {
    metrics: rest,
    intervals: result.intervals,
    accounting: result.accounting,
    thresholds: result.thresholds,
    checks: result.checks,
    errors: result.errors,
    series: series
      .filter(({ metric }) => metric !== "connections_open")
      .map(({ blocks: __, ...one }) => one)
      .sort((left, right) => (left.metric < right.metric ? -1 : 1)),
  };
}

describe("the merge of results", () => {
  test("takes no virtual users from the moments after the load, in which none is read", async () => {
    const [first, ...others] = await resultsOf();
    const last = first.result.intervals.at(-1);
    if (last === undefined) throw new TypeError("no interval");
    const ending = { ...last, atMs: last.atMs + 8, widthMs: 8, vus: 0, http_reqs: 0, http_reqs_failed: 0 };
    const result = { ...first.result, intervals: [...first.result.intervals, ending] };
    const merged = mergeResults([{ ...first, result }, ...others], options);
    expect(merged.metrics["vus"]).toEqual(mergeResults([first, ...others], options).metrics["vus"]);
    expect(merged.metrics["vus"]?.values).toMatchObject({ value: 6 });
  });

  test("has the figures of merged recordings, bucket by bucket", async () => {
    const changes = { thresholds: whole };
    const [first, second, third] = [0, 1, 2].map((index) => shardOf({ index, count, changes }));
    if (first === undefined || second === undefined || third === undefined) throw new TypeError("no shard");
    const ofRecordings = await mergeRuns([first, second, third], options);
    const merged = mergeResults(await resultsOf(whole), options);
    expect(withoutRest(merged)).toEqual(withoutRest(JSON.parse(JSON.stringify(ofRecordings)) as TestResult));
    expect(merged).toMatchObject({ verdict: "passed", exitCode: 0, shard: null, plan: { workers: 3 } });
    expect(merged.generator.workers.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(findContradictions(merged)).toEqual([]);
    expect(merged.notes).toEqual([
      "merged from 3 results: without windows, example exchanges and connections_open",
    ]);
  });

  test("names the thresholds that it cannot judge, and fails if one of them failed in a result", async () => {
    const [first, ...others] = await resultsOf(inWindows);
    expect(mergeResults([first, ...others], options)).toMatchObject({
      exitCode: 0,
      thresholds: [],
      notes: [
        expect.stringContaining("merged from 3 results"),
        "not judged on all samples, because results hold no windows: http_req_duration: p(99)<5s",
      ],
    });
    const thresholds = first.result.thresholds.map((one) => ({ ...one, passed: false }));
    const failed = { ...first, result: { ...first.result, thresholds } };
    expect(mergeResults([failed, ...others], options)).toMatchObject({
      verdict: "failed",
      exitCode: 99,
      messages: ["part-1.json: threshold failed in a window: http_req_duration: p(99)<5s"],
    });
  });

  test("needs leave to drop the windows of shards, which nothing has judged", async () => {
    const shards = await resultsOf(inWindows);
    const reason =
      "results of shards cannot judge the windows of http_req_duration: p(99)<5s; their recordings can";
    const { refusals, gaps } = checkResults(shards);
    expect([refusals, gaps.map((gap) => gap.reason)]).toEqual([[], [reason]]);
    const partial = mergeResults(shards, { allowsPartial: true, gaps });
    expect(partial).toMatchObject({ exitCode: 0, partial: [reason] });
    const [first, ...others] = shards.map((part) => ({ ...part, result: { ...part.result, shard: null } }));
    if (first === undefined) throw new TypeError("no result");
    expect(checkResults([first, ...others]).gaps).toEqual([]);
  });

  test("keeps the verdict of a run that did not end normally", async () => {
    const [first, ...others] = await resultsOf();
    const result: TestResult = {
      ...first.result,
      verdict: "interrupted",
      exitCode: 105,
      messages: ["SIGINT ended the load"],
    };
    expect(mergeResults([{ ...first, result }, ...others], options)).toMatchObject({
      verdict: "interrupted",
      exitCode: 105,
      messages: ["part-1.json: SIGINT ended the load"],
    });
  });

  test("fails for what a whole run failed for, unless the sums tell if that still holds", async () => {
    const [first, ...others] = await resultsOf();
    const merged = (changes: Partial<TestResult>): TestResult =>
      mergeResults([{ ...first, result: { ...first.result, ...changes } }, ...others], options);
    const failed = { verdict: "failed", exitCode: 99 } as const;
    const silent = "scenario buyers started no iteration: its load has no virtual users";
    const messages = [
      "threshold failed: http_req_failed: rate<1% (was 2 %)",
      "6 % of requests failed. The limit is 5 %; to set your own, use --max-failed",
      silent,
    ];
    expect(merged({ ...failed, messages })).toMatchObject({
      ...failed,
      messages: [`part-1.json: ${silent}`],
    });
    expect(merged({ ...failed, messages: messages.slice(0, 2) })).toMatchObject({
      exitCode: 0,
      messages: [],
    });
    const notes = ["ended early when http_req_failed: rate<1% failed"];
    expect(merged({ ...failed, messages: messages.slice(0, 1), notes })).toMatchObject({
      ...failed,
      messages: [`part-1.json: ${notes[0]}`],
    });
    const limited = "ended early: the run reached its --max-data limit";
    expect(merged({ notes: [limited] })).toMatchObject({ exitCode: 0 });
    expect(merged({ notes: [limited] }).notes).toContain(`part-1.json: ${limited}`);
    const notLoggedIn = "2 requests of GET /a ended at GET /login, which looks like a login page: log in";
    expect(merged({ notes: [notLoggedIn] }).notes).toContain(`part-1.json: ${notLoggedIn}`);
  });

  test("keeps that a shard of one of the runs was lost", async () => {
    const [first, ...others] = await resultsOf();
    const message = "shard 2 of 2 was lost after 1 s of load: its process was killed";
    const { generator } = first.result;
    const workers = generator.workers.map((worker) => ({ ...worker, lost: `${lostWithShard} (shard 2)` }));
    const result: TestResult = {
      ...first.result,
      verdict: "errored",
      exitCode: 109,
      messages: [message],
      generator: { ...generator, workers },
    };
    expect(mergeResults([{ ...first, result }, ...others], options)).toMatchObject({
      exitCode: 109,
      messages: [`part-1.json: ${message}`],
    });
  });

  test("fails if thresholds judge times, and the generator of a shard was saturated", async () => {
    const merged = async (thresholds: RecordedRun["thresholds"]): Promise<TestResult> => {
      const [first, ...others] = await resultsOf(thresholds);
      const generator = {
        ...first.result.generator,
        verdict: "saturated",
        reasons: ["worker 0 was busy"],
      } as const;
      return mergeResults([{ ...first, result: { ...first.result, generator } }, ...others], options);
    };
    expect(await merged(whole)).toMatchObject({
      exitCode: 112,
      messages: [expect.stringContaining("part-1.json: worker 0 was busy")],
    });
    expect(await merged([])).toMatchObject({ exitCode: 0, generator: { verdict: "saturated" } });
  });

  test("adds up errors, checks and their places in the source", async () => {
    const source = { file: "test.ts", line: 3, column: 7 };
    const exception = { message: "no basket", count: 1, firstAtMs: 5, source, frame: "> 3 | basket" };
    const check = {
      name: "is open",
      scenario: "readers",
      page: null,
      group: null,
      passes: 3,
      fails: 1,
      exception,
    };
    const values = { rate: 0.75, passes: 3, fails: 1 };
    const error = {
      code: "TEST_THREW",
      cause: null,
      message: "no basket",
      count: 2,
      firstAtMs: 5,
      name: "readers",
      source,
      frame: "> 3 | basket",
    };
    const parts = (await resultsOf()).map(({ name, result }): ResultPart => {
      const tags = { check: "is open", scenario: "readers" };
      const series = [...result.series, { metric: "checks", tags, values, histogram: null }];
      const metrics = { ...result.metrics, checks: { type: "rate", unit: null, values } } as const;
      return { name, result: { ...result, series, metrics, checks: [check], errors: [error] } };
    });
    const [first, ...others] = parts;
    if (first === undefined) throw new TypeError("no result");
    const merged = mergeResults([first, ...others], options);
    expect(merged.checks).toEqual([{ ...check, passes: 9, fails: 3, exception: { ...exception, count: 3 } }]);
    expect(merged.errors).toEqual([{ ...error, count: 6 }]);
  });
});

test("a gauge of merged results has the last one's value, and the extremes of all", async () => {
  const parts = (await resultsOf()).map(({ name, result }, index): ResultPart => {
    const values = { value: index + 1, min: index, max: 10 + index };
    const series = [...result.series, { metric: "queue", tags: {}, values, histogram: null }];
    const metrics = { ...result.metrics, queue: { type: "gauge", unit: null, values } } as const;
    return { name, result: { ...result, series, metrics } };
  });
  const [first, ...others] = parts;
  if (first === undefined) throw new TypeError("no result");
  expect(mergeResults([first, ...others], options).metrics["queue"]?.values).toEqual({
    value: 3,
    min: 0,
    max: 12,
  });
});

describe("a target that was gone at the end of all results", () => {
  /** Returns results in which all requests of the last three seconds failed. */
  async function outage(plan: Partial<TestResult["plan"]> = {}): Promise<readonly ResultPart[]> {
    return (await resultsOf()).map(({ name, result }) => {
      const last = result.intervals.length - 3;
      const intervals = result.intervals.map((one, at) =>
        at < last ? one : { ...one, http_reqs_failed: one.http_reqs },
      );
      return { name, result: { ...result, intervals, plan: { ...result.plan, ...plan } } };
    });
  }

  test("is named in the merged result, unless the test expects failures", async () => {
    const merge = ([first, ...others]: readonly ResultPart[]): TestResult => {
      if (first === undefined) throw new TypeError("no result");
      return mergeResults([first, ...others], options);
    };
    const merged = merge(await outage());
    expect(merged.exitCode).toBe(99);
    expect(merged.messages).toEqual([expect.stringMatching(/^127\.0\.0\.1:8080 was gone at the end: /)]);
    const [{ result }] = await resultsOf();
    const scenarios = result.plan.scenarios.map((one) => ({ ...one, expectsFailures: true }) as const);
    expect(merge(await outage({ scenarios }))).toMatchObject({ exitCode: 0, messages: [] });
  });
});

describe("results that are to be merged", () => {
  test("must be all shards of one run, each once", async () => {
    const parts = await resultsOf();
    const [first, second] = parts;
    expect(checkResults(parts)).toEqual({ refusals: [], gaps: [] });
    if (second === undefined) throw new TypeError("no result");
    const other = { ...second.result, seed: 8, test: { ...second.result.test, name: "other" } };
    const { refusals, gaps } = checkResults([first, first, { name: "other.json", result: other }]);
    expect(refusals).toEqual(["part-1.json: is the same result as part-1.json. Give it once."]);
    expect(gaps.map(({ sentence }) => sentence)).toEqual([
      "other.json: has another test than part-1.json.",
      "Shards are missing: 1 of 3.",
      "Several results are of the same shard.",
      "The shards had different seeds.",
    ]);
    const ofMore = { ...second.result, shard: { index: 1, count: 2 } };
    expect(checkResults([first, { name: "two.json", result: ofMore }]).gaps).toEqual([
      gapOfRun("the results are of runs with 3 and 2 shards"),
    ]);
    const mixed = checkResults([first, { name: "whole.json", result: { ...second.result, shard: null } }]);
    expect(mixed.gaps).toEqual([gapOfRun("some results are of shards, and others of whole runs")]);
  });

  test("must have been judged alike, and of one target", async () => {
    const [{ name, result }] = await resultsOf(inWindows);
    const run = { ...result, shard: null };
    const gapsOf = (changes: Partial<TestResult>): string[] =>
      checkResults([
        { name, result: run },
        { name: "b.json", result: { ...run, seed: 8, ...changes } },
      ]).gaps.map(({ sentence }) => sentence);
    expect(gapsOf({})).toEqual([]);
    expect(gapsOf({ test: { ...run.test, target: "http://127.0.0.1:9" } })).toEqual([
      "b.json: has another target than part-1.json.",
    ]);
    expect(gapsOf({ plan: { ...run.plan, warmupMs: 1000 } })).toEqual([
      "b.json: has another plan than part-1.json.",
    ]);
    for (const thresholds of [[], run.thresholds.map((one) => ({ ...one, window: null }))])
      expect(gapsOf({ thresholds })).toEqual(["b.json: has another list of thresholds than part-1.json."]);
    expect(gapsOf({ plan: { ...run.plan, judging: { maxFailed: 0.5 } } })).toEqual([
      "b.json: has another limit (--max-failed or --allow-saturated) than part-1.json.",
    ]);
  });

  test("must contain all histograms, and metrics that can be added up", async () => {
    const [{ result }] = await resultsOf();
    const requests = { type: "rate", unit: null, values: { rate: 1, passes: 1, fails: 0 } } as const;
    const other = { ...result, metrics: { ...result.metrics, http_reqs: requests } };
    const cut = result.series.map((one) => ({ ...one, histogram: null }));
    expect(
      checkResults([
        { name: "a.json", result },
        { name: "b.json", result: other },
        { name: "c.json", result: { ...result, series: cut } },
      ]).refusals,
    ).toEqual([
      "c.json: has too many series to hold the histograms of all. Record the runs with --out recording=FILE.",
      "b.json: http_reqs is another metric than in a.json.",
    ]);
  });
});
