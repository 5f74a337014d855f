import type { Reporter, TestCase } from "vitest/node";

/** Lists, at the very end, the tests that passed only when retried: each must be made stable. */
export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true)
      this.#retried.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return;
    console.warn(`\nFailed, and passed when tried again:\n  ${this.#retried.join("\n  ")}\n`);
  }
}
