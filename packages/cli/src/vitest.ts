import type { TestResult, Verdict } from "@bearhug/sdk";
import { expect } from "vitest";

/**
 * Passes for the result of a run that was complete and met all its thresholds. With `not`, it passes only if a
 * threshold failed: a run that ended with an error shows nothing about them. The message lists every reason.
 */
function toMeetThresholds(this: { readonly isNot?: boolean }, received: unknown): MatcherResult {
  if (!isResult(received))
    throw new TypeError("toMeetThresholds takes the result of runTest: await it first.");
  const { verdict, messages, thresholds, test } = received;
  if (thresholds.length === 0)
    throw new TypeError(
      `toMeetThresholds: ${test.name} has no thresholds. Add one, or expect result.verdict.`,
    );
  const reasons = messages.map((message) => `\n  ${message}`).join("");
  const ended = `${endings[verdict]}:${reasons}`;
  if (this.isNot !== true)
    return {
      pass: verdict === "passed",
      message: () => `expected ${test.name} to meet its thresholds, but it ${ended}`,
    };
  const met = `met ${thresholds.length === 1 ? "the only one" : `all ${thresholds.length}`}`;
  const but = verdict === "passed" ? `it ${met}` : `no threshold failed; the run ${ended}`;
  return {
    pass: !thresholds.some(({ passed }) => passed === false),
    message: () => `expected ${test.name} not to meet its thresholds, but ${but}`,
  };
}

const endings: Readonly<Record<Verdict, string>> = {
  passed: "passed",
  failed: "failed",
  aborted: "was aborted",
  interrupted: "was interrupted",
  errored: "ended with an error",
};

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

function isResult(value: unknown): value is TestResult {
  return (
    typeof value === "object" && value !== null && "schema" in value && value.schema === "bearhug/result@1"
  );
}

expect.extend({ toMeetThresholds });

declare module "vitest" {
  interface Matchers<R, T> {
    /**
     * Passes for the result of `runTest` whose run was complete and met all its thresholds; with `not`, for one
     * with a threshold that failed.
     */
    toMeetThresholds(): T extends TestResult ? R : never;
  }
}
