import type { Reporter, TestCase } from "vitest/node";

/** Names, at the very end, the tests that passed only when they were tried again: each is to be made steady. */
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
