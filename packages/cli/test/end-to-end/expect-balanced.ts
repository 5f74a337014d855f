import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

/** Expects that the accounts of iterations and of each request name balance, and that all parts agree. */
export function expectBalanced(result: TestResult): void {
  const { accounting } = result;
  expectBalancedLoad("load", accounting.iterations, accounting.requests);
  expectBalancedRequests("setup", accounting.setup.requests);
  expectBalancedRequests("teardown", accounting.teardown.requests);
  const { warmup } = accounting;
  if (warmup !== null) expectBalancedLoad("warm-up", warmup.iterations, warmup.requests);
  expectIntervalsToAddUp(result);
  if (accounting.iterations.lost === 0 && result.generator.workers.every(({ lost }) => lost === null))
    expectMetricsToAgree(result);
}

type Requests = TestResult["accounting"]["requests"];

function expectBalancedLoad(
  part: string,
  iterations: TestResult["accounting"]["iterations"],
  requests: Requests,
): void {
  const { scheduled, started, completed, failed, interrupted, dropped, lost } = iterations;
  expect(scheduled, part).toBe(started + dropped);
  expect(started, part).toBe(completed + failed + interrupted + lost);
  expectBalancedRequests(part, requests);
}

function expectBalancedRequests(part: string, requests: Requests): void {
  for (const { name, started, sent, succeeded, failed, interrupted, lost } of requests) {
    expect(started, `${part}: ${name}`).toBe(succeeded + failed + interrupted + lost);
    expect(sent, `${part}: ${name}`).toBeLessThanOrEqual(started);
  }
}

/** Expects that intervals and series add up to the totals, even if a worker was lost. */
function expectIntervalsToAddUp({ intervals, metrics, series }: TestResult): void {
  const inIntervals = (of: (interval: TestResult["intervals"][number]) => number): number =>
    intervals.reduce((total, interval) => total + of(interval), 0);
  for (const [metric, counted] of [
    ["http_reqs", inIntervals((interval) => interval.http_reqs)],
    ["iterations", inIntervals((interval) => interval.iterations)],
    ["dropped_iterations", inIntervals((interval) => interval.dropped)],
    ["data_received", inIntervals((interval) => interval.bytes)],
  ] as const) {
    const total = countOf(metrics, metric);
    expect(counted, `${metric} of the intervals`).toBe(total);
    const own = series.filter(({ metric: of }) => of === metric);
    expect(
      own.reduce((summed, { values }) => summed + (values["count"] ?? 0), 0),
      `${metric} of the series`,
    ).toBe(total);
  }
  const failed = metrics["http_req_failed"];
  expect(
    inIntervals((interval) => interval.http_reqs_failed),
    "http_reqs_failed of the intervals",
  ).toBe(failed?.type === "rate" ? failed.values.passes : 0);
}

/** Expects that the metrics agree with the accounts, as they do if no worker was lost. */
function expectMetricsToAgree(result: TestResult): void {
  const { accounting, metrics } = result;
  const { completed, failed, dropped } = accounting.iterations;
  expect(countOf(metrics, "http_reqs"), "http_reqs").toBe(sum(result, "succeeded") + sum(result, "failed"));
  expect(countOf(metrics, "iterations"), "iterations").toBe(completed + failed);
  expect(countOf(metrics, "dropped_iterations"), "dropped_iterations").toBe(dropped);
}

function countOf(metrics: TestResult["metrics"], name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : 0;
}

export function sum(
  result: TestResult,
  count: "started" | "sent" | "succeeded" | "failed" | "interrupted" | "lost",
): number {
  return result.accounting.requests.reduce((total, request) => total + request[count], 0);
}
