import { spawnSync } from "node:child_process";

/** True if there is a zizmor to audit with. With BEARHUG_REQUIRE_TOOLS set always true: tests that find none fail. */
export const hasZizmor =
  process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || spawnSync("zizmor", ["--version"]).status === 0;

/** Returns what zizmor finds in workflows and actions, without asking anybody; empty where nothing is wrong. */
export function auditWorkflows(paths: readonly string[], options: readonly string[] = []): string {
  const line = ["--offline", "--no-progress", "--format", "plain", ...options, ...paths];
  const { status, stdout, stderr, error } = spawnSync("zizmor", line, { encoding: "utf8" });
  if (error !== undefined) throw error;
  return status === 0 ? "" : `${stdout}${stderr}`;
}
