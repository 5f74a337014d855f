import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./workspace.mjs";

/**
 * @typedef {{ readonly status: string, readonly fullName: string, readonly failureMessages: readonly string[] }} TestResult
 * @typedef {{ readonly name: string, readonly status: string, readonly message: string, readonly assertionResults: readonly TestResult[] }} FileResult
 * @typedef {object} TestReport The part of vitest's JSON report with the counts and failures.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly FileResult[]} testResults
 */

/**
 * Returns the counts of a test run. A file that could not be loaded counts as one failure, because its tests
 * are unknown.
 * @param {readonly TestReport[]} reports
 */
export function countTests(reports) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    counts.passed += report.numPassedTests;
    counts.failed += report.numFailedTests + report.testResults.filter(isBroken).length;
    counts.skipped += report.numPendingTests + report.numTodoTests;
  }
  return counts;
}

/**
 * Names each test that failed, and each file that could not be loaded, with the reason. A long check has printed much
 * since a test failed, and what keeps only the end of its output would not tell.
 * @param {readonly TestReport[]} reports
 */
export function describeFailures(reports) {
  const files = reports.flatMap(({ testResults }) => testResults);
  return files.flatMap((file) => {
    const path = relative(root, file.name);
    if (isBroken(file)) return [describeFailure(path, file.message)];
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    return failed.map((test) =>
      describeFailure(`${path} > ${test.fullName}`, test.failureMessages.join("\n")),
    );
  });
}

const shownReasonLines = 12;

/**
 * Returns what failed, and below it the first lines of the reason.
 * @param {string} what
 * @param {string} reason
 */
export function describeFailure(what, reason) {
  const lines = stripVTControlCharacters(reason).trimEnd().split("\n").slice(0, shownReasonLines);
  return [what, ...lines.map((line) => `    ${line}`)].join("\n");
}

/**
 * Tells whether a file could not be loaded.
 * @param {FileResult} file
 */
function isBroken({ status, assertionResults }) {
  return status === "failed" && !assertionResults.some((test) => test.status === "failed");
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function formatCounts({ passed, failed, skipped }) {
  const skips = skipped === 0 ? "" : `, ${skipped} skipped`;
  return `${passed} passed, ${failed} failed${skips}`;
}
