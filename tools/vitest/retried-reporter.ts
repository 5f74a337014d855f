import { stripVTControlCharacters } from "node:util";

import type { TestError } from "vitest";
import type { Reporter, TestCase } from "vitest/node";

/** Lists, at the very end, the tests that passed only when retried, and why they failed: each must be made stable. */
export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const reasons = test.result().errors?.map(reasonOf) ?? [];
    this.#retried.push([`${test.module.relativeModuleId} > ${test.fullName}`, ...reasons].join("\n    "));
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return;
    console.warn(`\nFailed, and passed when tried again:\n  ${this.#retried.join("\n  ")}\n`);
  }
}

const shownLines = 12;

function reasonOf({ message, stacks, diff = "" }: TestError): string {
  const line = stacks?.[0]?.line;
  const place = line === undefined ? "" : `line ${line}: `;
  const text = stripVTControlCharacters(`${place}${message}\n${diff}`).trimEnd();
  return text.split("\n").slice(0, shownLines).join("\n    ");
}
