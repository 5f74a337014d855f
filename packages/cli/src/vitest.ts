import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

/**
 * Passes for the result of a run that was complete and met all its thresholds. Otherwise the message lists
 * every reason.
 */
function toMeetThresholds(received: unknown): { readonly pass: boolean; readonly message: () => string } {
  if (!isResult(received))
    throw new TypeError("toMeetThresholds takes the result of runTest: await it first.");
  const { verdict, messages, thresholds, test } = received;
  if (thresholds.length === 0)
    throw new TypeError(
      `toMeetThresholds: ${test.name} has no thresholds. Add one, or expect result.verdict.`,
    );
  const reasons = messages.map((message) => `\n  ${message}`).join("");
  return {
    pass: verdict === "passed",
    message: () =>
      verdict === "passed"
        ? `expected ${test.name} not to meet its thresholds, but it met ${thresholds.length === 1 ? "the only one" : `all ${thresholds.length}`}`
        : `expected ${test.name} to meet its thresholds, but it ${verdict === "failed" ? "failed" : `was ${verdict}`}:${reasons}`,
  };
}

function isResult(value: unknown): value is TestResult {
  return (
    typeof value === "object" && value !== null && "schema" in value && value.schema === "bearhug/result@1"
  );
}

expect.extend({ toMeetThresholds });

declare module "vitest" {
  interface Matchers<R, T> {
    /** Passes for the result of `runTest` whose run was complete and met all its thresholds. */
    toMeetThresholds(): T extends TestResult ? R : never;
  }
}
