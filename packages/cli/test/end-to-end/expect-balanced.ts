import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

/** The accounting's identities, for iterations and for each request name. */
export function expectBalanced({ accounting, metrics }: TestResult): void {
  const { scheduled, started, completed, failed, interrupted, dropped, lost } = accounting.iterations;
  expect(scheduled).toBe(started + dropped);
  expect(started).toBe(completed + failed + interrupted + lost);
  for (const request of accounting.requests) {
    expect(request.started, request.name).toBe(
      request.succeeded + request.failed + request.interrupted + request.lost,
    );
    expect(request.sent, request.name).toBeLessThanOrEqual(request.started);
  }
  if (accounting.iterations.lost > 0) return;
  const requests = metrics["http_reqs"];
  const told = accounting.requests.reduce((sum, request) => sum + request.succeeded + request.failed, 0);
  expect(requests?.type === "counter" ? requests.values.count : 0).toBe(told);
}

export function sum(
  result: TestResult,
  count: "started" | "sent" | "succeeded" | "failed" | "interrupted" | "lost",
): number {
  return result.accounting.requests.reduce((total, request) => total + request[count], 0);
}
