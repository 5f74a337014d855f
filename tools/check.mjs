// pnpm check: everything that CI runs. `pnpm check --changed` checks what changed since main alone, in less than a minute.
// Each step is a script of package.json, so that it can be run alone. The packages are built and packed before the tests,
// which install them. Building and testing wait half of their time, and the steps beside them use it: they run at a low
// priority, and what they print follows. How the tests ended is the last thing that is printed.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkChanged } from "./check-changed.mjs";
import { countTests, formatCounts } from "./count-tests.mjs";
import { runBeside, runQuietly, runStep, secondsSince } from "./run-step.mjs";
import { readJson, root } from "./workspace.mjs";

const first = ["build", "pack:packages"];
/** They read sources alone, and run one after another: more at once would be in the way of the tests, and of each other. */
const beside = ["lint", "docs:build", "depcruise", "format:check"];
/** The compiler reads the declarations that the build wrote, in place of checking the packages again. */
const ofBuilt = ["typecheck", "knip", "publint", "attw"];
const testReport = join(root, "node_modules/.cache/bearhug/tests.json");

const startedAtMs = performance.now();
await (process.argv.includes("--changed") ? checkChanged() : checkAll());

async function checkAll() {
  console.log(`\nBeside the build and the tests: ${beside.join(", ")}. How they ended follows.`);
  const [built, outcomes] = await Promise.all([buildAndTest(), runInTurn(beside)]);
  for (const { told } of outcomes) console.log(told);
  const failed = [...built, ...outcomes].filter(({ passed }) => !passed).map(({ step }) => step);
  if (failed.length > 0) {
    console.error(`\n✖ Failed: ${failed.join(", ")}.`);
    process.exitCode = 1;
  }
  console.log(`\nChecked in ${secondsSince(startedAtMs)} s.\n`);
  if (!existsSync(testReport)) return;
  const report = /** @type {import("./count-tests.mjs").TestReport} */ (readJson(testReport));
  console.log(formatCounts(countTests(report)));
}

/** Builds and packs the packages; then tests them, and checks what was built. If they can't be built, nothing is tested. */
async function buildAndTest() {
  rmSync(testReport, { force: true });
  const outcomes = [];
  for (const step of first) {
    const outcome = await runQuietly(step);
    console.log(outcome.told);
    outcomes.push(outcome);
    if (!outcome.passed) return outcomes;
  }
  const [tests, others] = await Promise.all([runTests(), runInTurn(ofBuilt)]);
  for (const { told } of others) console.log(told);
  return [...outcomes, tests, ...others];
}

function runTests() {
  return runStep("test:unit", {
    options: `--reporter=default --reporter=tools/vitest/retried-reporter.ts --reporter=json --outputFile.json="${testReport}"`,
    // They are those of this build.
    env: { BEARHUG_PACKED: join(root, "node_modules/.cache/bearhug/packed") },
  });
}

/**
 * Runs steps one after another.
 * @param {readonly string[]} steps
 */
async function runInTurn(steps) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runBeside(step));
  return outcomes;
}
