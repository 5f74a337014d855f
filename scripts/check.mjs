// pnpm check: everything that CI runs, in order; stops at the first step that fails.
// Each step is a script of package.json, so that it can be run alone. The tests come last: how they ended is
// the last thing that is printed.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { countTests, formatCounts } from "./count-tests.mjs";
import { readJson, root, workspace } from "./workspace.mjs";

const steps = [
  "build",
  "typecheck",
  "lint",
  "format:check",
  "depcruise",
  "knip",
  "pack:packages",
  "publint",
  "attw",
];
const testReport = join(root, "node_modules/.cache/bearhug/tests.json");

const startedAtMs = performance.now();
if (steps.every((step) => run(step))) runTests();

function runTests() {
  rmSync(testReport, { force: true });
  run("test:unit", `--reporter=default --reporter=json --outputFile.json="${testReport}"`);
  console.log(`\nChecked in ${secondsSince(startedAtMs)} s.\n`);
  if (!existsSync(testReport)) return;
  const report = /** @type {import("./count-tests.mjs").TestReport} */ (readJson(testReport));
  console.log(formatCounts(countTests(report)));
}

/**
 * @param {string} step a script of package.json
 * @param {string} options added to its command
 */
function run(step, options = "") {
  const command = workspace.scripts[step];
  if (command === undefined) throw new Error(`package.json has no script "${step}".`);
  console.log(`\n▶ ${step}: ${command}`);
  const stepStartedAtMs = performance.now();
  const { status, signal } = spawnSync(`${command} ${options}`, {
    cwd: root,
    shell: true,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`,
    },
  });
  const took = `${secondsSince(stepStartedAtMs)} s`;
  if (status === 0) {
    console.log(`✔ ${step}, ${took}`);
    return true;
  }
  const how = signal ?? `exit code ${String(status)}`;
  console.error(`\n✖ Step ${step} failed (${how}, ${took}): run \`pnpm run ${step}\` to see it alone.`);
  process.exitCode = status ?? 1;
  return false;
}

/** @param {number} startMs */
function secondsSince(startMs) {
  return ((performance.now() - startMs) / 1000).toFixed(1);
}
