import { writeFileSync } from "node:fs";

import { Histogram } from "@bearhug/metrics/histogram";
import type { SeriesResult, TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { findContradictions } from "../../src/outcome/contradictions/find-contradictions.ts";
import {
  runForResult,
  runBearhug,
  temporaryFolder,
  writeTest,
} from "../../../cli/test/end-to-end/run-bearhug.ts";
import { startServer } from "../../../cli/test/end-to-end/test-server.ts";

/**
 * Runs a test whose result has everything that can be changed: all kinds of thresholds, checks, pages, own
 * metrics, failures.
 */
async function runEverything(): Promise<TestResult> {
  const server = await startServer((request, response) => {
    response.writeHead(request.url === "/missing" ? 404 : 200).end("hello\n");
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}", metrics: { size: { type: "trend" }, sold: { type: "counter" } },
  scenarios: {
    a: { executor: "constant-arrival-rate", rate: 40, duration: "2s", maxVUs: 80, exec: async ({ http, page, check, metrics, iteration }) => {
      await page("home", async () => { check(await http.get("/"), { "is fine": (r) => r.ok }); });
      await page("other", () => http.get("/other"));
      metrics.size.add(iteration.index);
      if (iteration.index % 8 === 0) throw new Error("every eighth");
    } },
    b: { executor: "shared-iterations", vus: 2, iterations: 20, exec: async ({ http, check, metrics }) => {
      metrics.sold.add(2);
      check(await http.get("/missing"), { "is read": (r) => r.json() !== null, "is there": (r) => r.status === 404 });
    } },
  },
  thresholds: {
    http_req_failed: ["rate<50%"],
    http_req_duration: ["p(95)<10s", "avg<10s", { threshold: "max<10s", window: "1s" }],
    "http_req_duration{page:home}": ["p(99)<10s", "max<10s"],
    "http_req_failed{scenario:b}": ["rate==1"],
    "http_req_waiting{page:other}": ["p(90)<10s"],
    "http_reqs{scenario:a}": ["count>10"],
    sold: ["count==40"], size: ["max>10"], vus: ["value<1000"],
    "http_reqs{page:nowhere}": [{ threshold: "count>0", allowEmpty: true }],
  },
});`);
  const { result } = await runForResult(["run", file, "--workers", "2"]);
  // In an order that does not depend on which worker reported first.
  const isFirst = ({ metric, tags }: SeriesResult) =>
    Number(metric === "http_reqs" && tags["scenario"] !== undefined);
  return {
    ...result,
    checks: result.checks.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    series: result.series.toSorted((left, right) => isFirst(right) - isFirst(left)),
  };
}

let running: Promise<TestResult> | undefined;
/**
 * Returns the result of a run that all tests share. The first caller starts it, and the next one again if it
 * failed.
 */
async function real(): Promise<TestResult> {
  running ??= runEverything();
  try {
    return await running;
  } catch (error) {
    running = undefined;
    throw error;
  }
}

type Json = string | number | boolean | null | { [key: string]: Json } | Json[];

/** Returns a copy of the real result with another value at a path. */
async function changed(path: string, to: (value: never) => unknown): Promise<TestResult> {
  const copy = structuredClone(await real()) as unknown;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  const last = keys.pop() ?? "";
  let at = copy as Record<string, Json>;
  for (const key of keys) at = at[key] as Record<string, Json>;
  at[last] = to(at[last] as never) as Json;
  return copy as TestResult;
}

const more = (value: number): number => value + 1;

/** Changes that someone might make by hand, and the contradiction that reveals each. */
const changes: readonly { path: string; to: (value: never) => unknown; says: string }[] = [
  { path: "exitCode", to: () => 0, says: 'verdict is "failed", but exit code 0 is "passed"' },
  { path: "exitCode", to: () => 7, says: "exitCode is 7, which is none of" },
  { path: "verdict", to: () => "passed", says: 'verdict is "passed", but exit code 99 is "failed"' },
  { path: "messages", to: () => [], says: "messages is empty, but exit code 99 has a reason" },
  {
    path: "messages",
    to: (messages: string[]) => [...messages, "threshold failed: http_reqs: count>9 (was 1)"],
    says: "messages report 1 failed thresholds, but 0 failed",
  },
  { path: "truncated", to: () => true, says: "exitCode is 99, but the run was killed (truncated)" },
  { path: "generator.workers[1].lost", to: () => "crashed", says: "exitCode is 99, but worker 1 was lost" },
  { path: "thresholds[0].passed", to: () => false, says: "thresholds[0].passed is false, but it came to" },
  { path: "thresholds[0].actual", to: () => 0.9, says: "thresholds[0].passed is true, but it came to 0.9" },
  {
    path: "thresholds[0].actual",
    to: () => 0.01,
    says: "thresholds[0].actual is 0.01, but by its metric it is",
  },
  { path: "thresholds[0].samples", to: more, says: "thresholds[0].samples is" },
  {
    path: "thresholds[0].expression",
    to: () => "rate<1%",
    says: "thresholds[0].passed is true, but it came to",
  },
  {
    path: "thresholds[0].expression",
    to: () => "rate<<1",
    says: 'thresholds[0].expression "rate<<1" is not a threshold',
  },
  { path: "thresholds[1].actual", to: more, says: "thresholds[1].actual is" },
  { path: "thresholds[2].actual", to: more, says: "thresholds[2].actual is" },
  { path: "thresholds[3].passed", to: () => false, says: "thresholds[3].passed is false" },
  { path: "thresholds[4].actual", to: (value: number) => value * 1.5, says: "thresholds[4].actual is" },
  { path: "thresholds[5].actual", to: more, says: "thresholds[5].actual is" },
  { path: "thresholds[5].samples", to: more, says: "thresholds[5].samples is" },
  { path: "thresholds[6].actual", to: () => 0.99, says: "thresholds[6].passed is true, but it came to 0.99" },
  { path: "thresholds[7].actual", to: (value: number) => value + 100, says: "thresholds[7].actual is" },
  { path: "thresholds[8].actual", to: more, says: "thresholds[8].actual is" },
  { path: "thresholds[9].actual", to: more, says: "thresholds[9].passed is true, but it came to 41" },
  { path: "thresholds[10].actual", to: more, says: "thresholds[10].actual is" },
  { path: "thresholds[11].actual", to: more, says: "thresholds[11].actual is" },
  {
    path: "thresholds[12].allowEmpty",
    to: () => false,
    says: "thresholds[12].passed is true, but there is no value",
  },
  { path: "accounting.iterations.scheduled", to: more, says: "accounting.iterations.scheduled is" },
  { path: "accounting.iterations.completed", to: more, says: "accounting.iterations.started is" },
  { path: "accounting.requests[0].succeeded", to: more, says: "accounting.requests[0].started is" },
  { path: "accounting.requests[0].sent", to: more, says: "accounting.requests[0].sent is" },
  { path: "checks[0].passes", to: more, says: "metrics.checks.values.passes is" },
  { path: "checks[0].fails", to: more, says: "metrics.checks.values.fails is" },
  {
    path: "checks[0].exception",
    to: () => ({ count: 9, message: "", firstAtMs: 0, source: null, frame: null }),
    says: "checks[0].exception.count is 9, but fails is 0",
  },
  {
    path: "expectedResponses.http_req_duration.values.count",
    to: more,
    says: "expectedResponses.http_req_duration.values.count is",
  },
  {
    path: "expectedResponses.http_req_duration.values.p(90)",
    to: (value: number) => value + 1e6,
    says: "expectedResponses.http_req_duration.values.p(90) is",
  },
  { path: "metrics.http_reqs.values.count", to: more, says: "metrics.http_reqs.values.count is" },
  { path: "metrics.http_reqs.values.rate", to: more, says: "metrics.http_reqs.values.rate is" },
  {
    path: "metrics.http_req_failed.values.rate",
    to: () => 0.5,
    says: "metrics.http_req_failed.values.rate is 0.5",
  },
  {
    path: "metrics.http_req_failed.values.passes",
    to: more,
    says: "metrics.http_req_failed.values.passes is",
  },
  {
    path: "metrics.http_req_duration.values.max",
    to: () => 1e6,
    says: "metrics.http_req_duration.values.max is",
  },
  { path: "metrics.http_req_duration.values.avg", to: more, says: "metrics.http_req_duration.values.avg is" },
  {
    path: "metrics.http_req_duration.values.p(90)",
    to: () => 1e6,
    says: "metrics.http_req_duration.values.p(90) is",
  },
  { path: "intervals[0].http_reqs", to: more, says: "metrics.http_reqs.values.count is" },
  { path: "intervals[0].http_reqs_failed", to: more, says: "metrics.http_req_failed.values.passes is" },
  { path: "intervals[0].iterations", to: more, says: "metrics.iterations.values.count is" },
  { path: "intervals[0].bytes", to: more, says: "metrics.data_received.values.count is" },
  { path: "intervals[0].responseTime", to: () => "AAAA", says: "intervals[0].responseTime cannot be read" },
  {
    path: "intervals",
    to: (intervals: TestResult["intervals"]) => {
      // On a busy machine, no request may end in the first one.
      const first = intervals.findIndex(({ duration }) => duration !== null);
      return intervals.map((one, index) => (index === first ? { ...one, duration: null } : one));
    },
    says: "metrics.http_req_duration.values.count is",
  },
  { path: "series[0].values.count", to: more, says: "but by its series it is" },
  {
    path: "series",
    to: (series: SeriesResult[]) =>
      series.map((one) => (one.histogram === null ? one : { ...one, histogram: "AAAA" })),
    says: "].histogram cannot be read",
  },
  {
    path: "series",
    to: (series: SeriesResult[]) => {
      const histogram = new Histogram(3).encode();
      return series.map((one) => (one.histogram === null ? one : { ...one, histogram }));
    },
    says: "].histogram holds 0 values, but count is",
  },
  { path: "durationMs", to: (value: number) => value * 2, says: "count per second of durationMs" },
];

const sentences = (result: TestResult): string[] =>
  findContradictions(result).map(({ path, message }) => `${path} ${message}`);

describe("a result", () => {
  test("that a run wrote has no contradictions", async () => {
    const result = await real();
    expect(result).toMatchObject({ exitCode: 99, verdict: "failed" });
    expect(result.thresholds.map(({ passed }) => passed)).toEqual(Array.from({ length: 13 }, () => true));
    expect(sentences(result)).toEqual([]);
  });

  test.each(changes)("in which $path was changed contradicts itself: $says", async ({ path, to, says }) => {
    expect(sentences(await changed(path, to)).join("\n")).toContain(says);
  });

  test.each([
    { path: "messages", to: (messages: string[]) => [...messages, "a *** is told"] },
    { path: "thresholds[4].metric", to: () => "http_req_duration{page:***}" },
    { path: "thresholds[4].expression", to: () => "p(99)<***" },
    { path: "thresholds[3].actual", to: () => 1 },
    // The series of phases have no names.
    { path: "thresholds[7].metric", to: () => "http_req_waiting{name!:GET /other}" },
    { path: "generator.workers[0].utilization", to: () => 0.5 },
  ])(
    "in which $path was changed is accepted, because nothing else in it depends on that value",
    async ({ path, to }) => {
      expect(sentences(await changed(path, to))).toEqual([]);
    },
  );
});

describe("the command bearhug report", () => {
  const report = async (result: TestResult) => {
    const path = `${temporaryFolder()}/result.json`;
    writeFileSync(path, JSON.stringify(result));
    return { path, ...(await runBearhug(["report", path])) };
  };

  test("reports a result that a run wrote", async () => {
    const { exitCode, stdout, stderr } = await report(await real());
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("failed");
  });

  test("refuses a verdict that was changed by hand, with a sentence for each contradiction", async () => {
    const opened: TestResult = { ...(await real()), exitCode: 0, verdict: "passed", messages: [] };
    const { path, exitCode, stdout, stderr } = await report(opened);
    expect(exitCode).toBe(104);
    expect(stdout).toBe("");
    expect(stderr.split("\n")).toEqual([
      `bearhug: ${path}: exitCode is 0, but checks[1] threw every time.`,
      `bearhug: ${path} contradicts itself, so it is not reported. Write it again from the run.`,
      "",
    ]);
  });

  test("names the first twenty contradictions, and the number of others", async () => {
    const result = await real();
    const intervals = result.intervals.slice(1);
    const thresholds = result.thresholds.map((one) => ({ ...one, samples: 1, passed: false }));
    const { exitCode, stderr } = await report({ ...result, intervals, thresholds });
    expect(exitCode).toBe(104);
    expect(stderr.trim().split("\n")).toHaveLength(22);
    expect(stderr).toMatch(/and \d+ more contradictions/);
  });
});
