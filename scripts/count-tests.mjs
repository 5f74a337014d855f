/**
 * @typedef {object} TestReport The part of vitest's JSON report that is counted.
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }[]} testResults
 */

/**
 * The counts of test runs together. A file that could not even be loaded counts as one failure: it holds no test that could.
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
