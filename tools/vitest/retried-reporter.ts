import type { TestError } from "vitest";
import type { Reporter, TestCase } from "vitest/node";

import { describeFailure } from "../test-reports.mjs";

/** Lists, at the very end, the tests that passed only when retried, and why they failed: each must be made stable. */
export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const reasons = test.result().errors?.map(reasonOf) ?? [];
    this.#retried.push(
      describeFailure(`${test.module.relativeModuleId} > ${test.fullName}`, reasons.join("\n")),
    );
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return;
    console.warn(`\nFailed, and passed when tried again:\n${this.#retried.join("\n")}\n`);
  }
}

function reasonOf({ message, stacks, diff = "" }: TestError): string {
  const line = stacks?.[0]?.line;
  return `${line === undefined ? "" : `line ${line}: `}${message}\n${diff}`;
}
