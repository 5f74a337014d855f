/**
 * @typedef {object} TestReport The part of vitest's JSON report with the counts.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }[]} testResults
 */

/**
 * Returns the counts of a test run. A file that could not be loaded counts as one failure, because its tests
 * are unknown.
 * @param {readonly TestReport[]} reports
 */
export function countTests(reports) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    const brokenFiles = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((test) => test.status === "failed"),
    );
    counts.passed += report.numPassedTests;
    counts.failed += report.numFailedTests + brokenFiles.length;
    counts.skipped += report.numPendingTests + report.numTodoTests;
  }
  return counts;
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
export function formatCounts({ passed, failed, skipped }) {
  const skips = skipped === 0 ? "" : `, ${skipped} skipped`;
  return `${passed} passed, ${failed} failed${skips}`;
}
