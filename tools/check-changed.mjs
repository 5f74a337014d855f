import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runStep } from "./run-step.mjs";
import { root } from "./workspace.mjs";

/**
 * Checks the files that differ from main, and runs the unit tests that import them. Stops at the first step
 * that fails.
 */
export async function checkChanged() {
  const base = findBase();
  const files = changedSince(base);
  const code = files.filter((file) => /\.(?:ts|js|mjs)$/.test(file) && !file.includes("/golden/"));
  const tests = code.filter((file) => file.endsWith(".test.ts"));
  console.log(`${files.length} files differ from ${base.slice(0, 10)}.`);
  /** @type {[step: string, options?: string][]} */
  const steps = [
    // Writes the declarations, which it also reads; nothing else needs a build.
    ["typecheck"],
    ["depcruise"],
    ["knip"],
    ...(code.length > 0 ? [step("lint:files", code)] : []),
    ...(files.length > 0 ? [step("format:files", files)] : []),
    ["test:unit", `--project units --changed ${base} --passWithNoTests`],
    // Tests that start processes do not import the code under test, so of these only changed ones are run.
    ...(tests.length > 0
      ? [step("test:unit", ["--project waiting --project timed --passWithNoTests", ...tests])]
      : []),
  ];
  for (const [name, options] of steps) {
    if (!(await runStep(name, options === undefined ? {} : { options })).passed) {
      process.exitCode = 1;
      return;
    }
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} files
 * @returns {[step: string, options: string]}
 */
function step(name, files) {
  return [name, files.map((file) => JSON.stringify(file)).join(" ")];
}

/** Returns the commit where this branch left main; on main itself, the last commit. */
function findBase() {
  const main = ["origin/main", "main"].find((name) => git("rev-parse", "--quiet", "--verify", name) !== "");
  return git("merge-base", "HEAD", main ?? "HEAD");
}

/** @param {string} base */
function changedSince(base) {
  const changed = git("diff", "--name-only", "--diff-filter=d", base);
  const created = git("ls-files", "--others", "--exclude-standard");
  return `${changed}\n${created}`.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
}

/** @param {string[]} args */
function git(...args) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
}
