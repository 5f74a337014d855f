import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Three in four requests take 20 ms, one in four 80 ms: by the iteration's index, so that every run has the same ones. */
const latencyMs = (index: number): number => (index % 4 === 3 ? 80 : 20);

async function runWith(workers: number): Promise<{ result: TestResult; served: number[] }> {
  const served: number[] = [];
  const server = await startServer((request, response) => {
    const index = Number(new URL(request.url ?? "", "http://x").searchParams.get("i"));
    const cameMs = performance.now();
    response.on("finish", () => served.push(performance.now() - cameMs));
    setTimeout(() => response.end("hello\n"), latencyMs(index));
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const visit = ({ http, iteration, tags, check, group }) => {
  tags.set("half", iteration.index % 2 === 0 ? "even" : "odd");
  return group("g" + (iteration.index % 3), async () => {
    check(await http.get("/?i=" + iteration.index, { name: "visit" }), { "is fine": (r) => r.ok });
  });
};
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    shared: { executor: "shared-iterations", vus: 4, iterations: 120, tags: { kind: "closed" }, exec: visit },
    each: { executor: "per-vu-iterations", vus: 3, iterations: 40, exec: visit },
    due: { executor: "constant-arrival-rate", rate: 40, duration: "3s", exec: visit },
    ramp: { executor: "ramping-arrival-rate", stages: [{ duration: "3s", target: 80 }], exec: visit },
  },
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

/** The middle one, and the one with a tenth above it. */
function percentilesOf(times: readonly number[]): [med: number, p90: number] {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return [at(0.5), at(0.9)];
}

/** Each series by its tags, with its count. */
function countsOf(result: TestResult, metric: string): string[] {
  return result.series
    .filter((series) => series.metric === metric)
    .map(({ tags, values }) => {
      const sorted = Object.entries(tags).toSorted(([left], [right]) => (left < right ? -1 : 1));
      return `${JSON.stringify(sorted)} ${JSON.stringify(values["count"] ?? values["passes"])}`;
    })
    .toSorted();
}

test("1, 2 and 3 workers give the same counts and tags, and the same percentiles within what chance does", async () => {
  const results = [await runWith(1), await runWith(2), await runWith(3)];
  const first = results[0]?.result;
  if (first === undefined) throw new Error("no result");
  expect(first.accounting.iterations).toMatchObject({ scheduled: 480, completed: 480 });
  expect(countsOf(first, "http_reqs").length).toBeGreaterThan(20);
  for (const { result, served } of results) {
    expect(result.accounting).toEqual(first.accounting);
    expect(result.checks).toEqual(first.checks);
    for (const metric of ["http_reqs", "iterations", "http_req_duration", "group_duration", "checks"])
      expect(countsOf(result, metric), metric).toEqual(countsOf(first, metric));
    const duration = result.metrics["http_req_duration"];
    if (duration?.type !== "trend") throw new Error("no times");
    const [med, p90] = percentilesOf(served);
    expect(served).toHaveLength(480);
    expect(med).toBeGreaterThanOrEqual(19);
    expect(p90).toBeGreaterThanOrEqual(79);
    // By the server's own record, with room for a machine on which others are busy, too.
    expect(duration.values.med).toBeGreaterThan(med - 2);
    expect(duration.values.med).toBeLessThan(med + 250);
    expect(duration.values["p(90)"]).toBeGreaterThan(p90 - 2);
    expect(duration.values["p(90)"]).toBeLessThan(p90 + 250);
  }
}, 60_000);
