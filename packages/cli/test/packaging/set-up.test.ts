import { describe, expect, test } from "vitest";
import { oldestNode, refuseOldNode } from "../../../../tools/node-version.mjs";
import { explainInstallFailure } from "../../../../tools/set-up-problems.mjs";
import { countTests, describeFailures, formatCounts } from "../../../../tools/test-reports.mjs";
import { runProcess } from "./run-process.ts";
import { root } from "../../../../tools/workspace.mjs";

describe("setting the workspace up", () => {
  test.for(["20.0.0", "20.20.2", "24.21.0", "100.1.0"])("accepts Node %s", (version) => {
    expect(refuseOldNode(version, "/usr/bin/node")).toBeUndefined();
  });

  test.for(["8.17.0", "18.20.4", "19.9.0"])(
    "refuses Node %s in one sentence, with exit code 104",
    (version) => {
      const refusal = refuseOldNode(version, "/usr/bin/node");
      expect(refusal).toBe(
        `bearhug's workspace needs Node 20 or newer to set itself up; this is Node ${version} (/usr/bin/node).`,
      );
      expect(oldestNode.exitCode).toBe(104);
    },
  );

  test.for<[string, RegExp]>([
    [
      "npm error code ECONNREFUSED\nFetchError: request to http://127.0.0.1:9/pnpm failed",
      /cannot be reached.*proxy/,
    ],
    [
      " ERR_PNPM_META_FETCH_FAIL  GET https://example.test/x: request failed, reason: getaddrinfo EAI_AGAIN",
      /network/,
    ],
    [
      " ERR_PNPM_ENOSPC  Failed to add tarball to store: ENOSPC: no space left on device, write",
      /disk is full/,
    ],
    [
      ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
      /pnpm-lock\.yaml.*npx pnpm@1\.2\.3 install/,
    ],
    ["npm error code EACCES", /could not be written/],
    ["reason: self-signed certificate SELF_SIGNED_CERT_IN_CHAIN", /certificate/],
    ["npm error code E404", /lacks a package/],
    ["something else entirely", /lines above say why/],
  ])("explains %j", ([output, expected]) => {
    const explanation = explainInstallFailure(output, "pnpm@1.2.3");
    expect(explanation).toMatch(/^Could not install what bearhug's workspace needs: .*\.$/);
    expect(explanation).toMatch(expected);
  });

  test("lists the scripts when it is given an unknown one", async () => {
    const run = await runProcess(process.execPath, ["tools/with-workspace.mjs", "nonsense"], root);
    expect(run).toMatchObject({ code: 104, stdout: "" });
    expect(run.stderr).toMatch(/^Say which script to run: .*\bcheck\b.*\.\n$/);
  });
});

describe("the closing lines of a check", () => {
  const file = (status: string, ...tests: string[]) => ({
    name: `${root}/packages/http/test/${status}.test.ts`,
    status,
    message: status === "failed" ? "Cannot find module" : "",
    assertionResults: tests.map((testStatus, index) => ({
      status: testStatus,
      fullName: `a group test ${index + 1}`,
      failureMessages: testStatus === "failed" ? ["\u001B[31mexpected 1\u001B[39m\n    at line 2"] : [],
    })),
  });
  const report = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };

  test("adds up vitest's counts", () => {
    const testResults = [file("passed", "passed"), file("failed", "passed", "failed")];
    const counts = countTests([
      { ...report, testResults },
      { ...report, numFailedTests: 0, testResults: [file("passed", "passed", "passed")] },
    ]);
    expect(formatCounts(counts)).toBe("4 passed, 1 failed, 4 skipped");
  });

  test("counts a file that could not be loaded as a failure, and omits a count of no skipped tests", () => {
    const counts = countTests([
      {
        ...report,
        numFailedTests: 0,
        numPendingTests: 0,
        numTodoTests: 0,
        testResults: [file("passed", "passed", "passed"), file("failed")],
      },
    ]);
    expect(formatCounts(counts)).toBe("2 passed, 1 failed");
  });

  test("name what failed, with the reason", () => {
    const testResults = [file("passed", "passed"), file("failed", "passed", "failed"), file("failed")];
    expect(describeFailures([{ ...report, testResults }])).toEqual([
      "packages/http/test/failed.test.ts > a group test 2\n    expected 1\n        at line 2",
      "packages/http/test/failed.test.ts\n    Cannot find module",
    ]);
  });

  test("name nothing if all passed", () => {
    expect(describeFailures([{ ...report, testResults: [file("passed", "passed")] }])).toEqual([]);
  });
});
