import { readFileSync } from "node:fs";

import type { CheckResult, TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { startControl } from "../import/attempts.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runBearhug, runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Returns 20 ms for 70 of 100 indexes, 80 ms for 27 and 240 ms for 3: the same in every run. */
function latencyMs(index: number): number {
  const place = (index * 37) % 100;
  if (place < 70) return 20;
  return place < 97 ? 80 : 240;
}

interface Load {
  readonly scenarios: string;
  /**
   * By scenario of an arrival rate: the number of arrivals after which it ends. Its duration is longer, so
   * that a busy machine may start the last of them late.
   */
  readonly arrivals: Readonly<Record<string, number>>;
}

/** Runs scenarios against such a server. Returns, by path, how long the server took for each request. */
async function runWith(
  workers: number,
  { scenarios, arrivals }: Load,
): Promise<{ result: TestResult; served: ReadonlyMap<string, number[]> }> {
  const served = new Map<string, number[]>();
  const server = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const cameMs = performance.now();
    response.on("finish", () => {
      served.set(pathname, [...(served.get(pathname) ?? []), performance.now() - cameMs]);
    });
    setTimeout(() => response.end("hello\n"), latencyMs(Number(searchParams.get("i"))));
  });
  const feeds = Object.entries(arrivals).map(
    ([name, count]) =>
      `${name}: rows([...Array(${count}).keys()], { atEnd: "stop", scenarios: ["${name}"] })`,
  );
  const file = writeTest(`import { defineTest, rows } from "@bearhug/sdk";
const visit = ({ http, iteration, tags, check, group }) => {
  tags.set("half", iteration.index % 2 === 0 ? "even" : "odd");
  return group("g" + (iteration.index % 3), async () => {
    check(await http.get("/visit?i=" + iteration.index, { name: "visit" }), { "is fine": (r) => r.ok });
  });
};
export default defineTest({
  baseUrl: "${server.url}", feeds: { ${feeds.join()} }, scenarios: { ${scenarios} },
});`);
  const { exitCode, result, stderr } = await runForResult([
    "run",
    file,
    "--workers",
    String(workers),
    "--seed",
    "5",
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(result.plan.workers).toBe(workers);
  expectBalanced(result);
  return { result, served };
}

/** Returns the tags and the count of each series of a metric. */
function countsOf(result: TestResult, metric: string): string[] {
  return result.series
    .filter((series) => series.metric === metric)
    .map(({ tags, values }) => {
      const sorted = Object.entries(tags).toSorted(([left], [right]) => (left < right ? -1 : 1));
      return `${JSON.stringify(sorted)} ${JSON.stringify(values["count"] ?? values["passes"])}`;
    })
    .toSorted();
}

function expectSameCounts(result: TestResult, first: TestResult): void {
  expect(result.accounting).toEqual(first.accounting);
  // Checks are in the order in which workers first reported them.
  const placeOf = ({ scenario, group }: CheckResult): string => `${scenario} ${group ?? ""}`;
  const byPlace = ({ checks }: TestResult): CheckResult[] =>
    checks.toSorted((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1));
  expect(byPlace(result)).toEqual(byPlace(first));
  for (const metric of ["http_reqs", "iterations", "http_req_duration", "group_duration", "checks"])
    expect(countsOf(result, metric), metric).toEqual(countsOf(first, metric));
}

test("1, 2 and 3 workers give the same counts and tags", async () => {
  const scenarios = `
    shared: { executor: "shared-iterations", vus: 4, iterations: 120, tags: { kind: "closed" }, exec: visit },
    each: { executor: "per-vu-iterations", vus: 3, iterations: 40, exec: visit },
    due: { executor: "constant-arrival-rate", rate: 40, duration: "15s", exec: visit },
    ramp: { executor: "ramping-arrival-rate", stages: [{ duration: "3s", target: 80 }, { duration: "12s", target: 80 }], exec: visit },`;
  const load = { scenarios, arrivals: { due: 120, ramp: 120 } };
  const { result: first } = await runWith(1, load);
  expect(first.accounting.iterations).toMatchObject({ scheduled: 480, completed: 480 });
  expect(countsOf(first, "http_reqs").length).toBeGreaterThan(20);
  const others = await Promise.all([2, 3].map((workers) => runWith(workers, load)));
  for (const { result } of others) expectSameCounts(result, first);
});

/** A percentile in each part of the mixture, away from the jumps of 60 ms and 160 ms at 70 % and 97 %. */
const judged = [50, 90, 99] as const;
/** Other load on the machine may spoil an attempt, but a real fault fails every attempt. */
const mostAttempts = 3;
const mostGapMs = 5;

/** Returns, by percentile, how far the run's value is from that of the server's own record. */
function gapsOf(result: TestResult, served: readonly number[]): number[] {
  const visit = result.names.find(({ name }) => name === "visit")?.metrics["http_req_duration"];
  if (visit?.type !== "trend") throw new TypeError("visits have no durations");
  const sorted = served.toSorted((left, right) => left - right);
  return judged.map((percentile) => {
    const own = sorted[Math.ceil((percentile / 100) * sorted.length) - 1] ?? Number.NaN;
    return Math.abs((visit.values[`p(${percentile})`] ?? Number.NaN) - own);
  });
}

test("1, 2 and 3 workers measure what the server saw", async () => {
  // Compiling and connecting happen in the first second, whose requests have another name.
  const scenarios = `
    first: { executor: "constant-arrival-rate", rate: 60, duration: "15s", exec: ({ http }) => http.get("/first", { name: "first" }) },
    then: { executor: "constant-arrival-rate", rate: 100, duration: "20s", startTime: "1500ms", exec: visit },`;
  const load = { scenarios, arrivals: { first: 60, then: 600 } };
  const results = await Promise.all([1, 2, 3].map((workers) => measureUntilEqual(workers, load)));
  for (const { result, areEqual, attempts } of results) {
    expectSameCounts(result, results[0]!.result);
    expect(areEqual, JSON.stringify(attempts)).toEqual(judged.map(() => true));
  }
});

interface Attempt {
  readonly gapsMs: readonly number[];
  /** The largest accepted gap: a machine that is late with plain timers is late with responses, too. */
  readonly mostMs: number;
}

/** Measures until each percentile agreed with the server in one of the attempts, or none are left. */
async function measureUntilEqual(workers: number, load: Load) {
  const attempts: Attempt[] = [];
  for (;;) {
    const control = startControl();
    const { result, served } = await runWith(workers, load);
    const mostMs = Math.max(mostGapMs, 2 * (await control.stop()));
    const visits = served.get("/visit") ?? [];
    expect(visits).toHaveLength(600);
    attempts.push({ gapsMs: gapsOf(result, visits), mostMs });
    const areEqual = judged.map((_, at) => attempts.some((one) => (one.gapsMs[at] ?? NaN) <= one.mostMs));
    if (areEqual.every(Boolean) || attempts.length === mostAttempts) return { result, areEqual, attempts };
  }
}

test("threads start with the command's flags, so that they find its compiled code and Node's, also after another load", async () => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ scenarios: {
  idle: { executor: "shared-iterations", vus: 2, iterations: 2, expectNoRequests: true, exec: () => {} },
} });`);
  const again = writeTest(readFileSync(file, "utf8"));
  const { exitCode, stderr } = await runBearhug(["run", file, again, "--workers", "2"], undefined, {
    NODE_DEBUG_NATIVE: "COMPILE_CACHE",
  });
  expect(exitCode, stderr).toBe(0);
  // The folder's name has a hash of V8's flags.
  const folders = Array.from(stderr.matchAll(/resolved path .* -> (.*)$/gm), ([, folder]) => folder);
  expect(folders.length).toBeGreaterThanOrEqual(5);
  expect(new Set(folders).size).toBe(1);
});
