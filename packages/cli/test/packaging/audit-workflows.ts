import { spawnSync } from "node:child_process";

/**
 * True if zizmor is installed, or if BEARHUG_REQUIRE_TOOLS is set, so that tests fail instead of being
 * skipped.
 */
export const hasZizmor =
  process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || spawnSync("zizmor", ["--version"]).status === 0;

/** Returns zizmor's findings in workflows and actions, without network access; empty if there are none. */
export function auditWorkflows(paths: readonly string[], options: readonly string[] = []): string {
  const line = ["--offline", "--no-progress", "--format", "plain", ...options, ...paths];
  const { status, stdout, stderr, error } = spawnSync("zizmor", line, { encoding: "utf8" });
  if (error !== undefined) throw error;
  return status === 0 ? "" : `${stdout}${stderr}`;
}
