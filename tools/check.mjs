// pnpm check: runs everything that CI runs. `pnpm check --changed` checks only what changed since main, in
// less than a minute. Each step is a script of package.json, so it can be run alone. The packages are built
// and packed before the tests, which install them. Building and testing wait half of their time; other steps
// use that time at a low priority, and their output is printed afterwards. The result of the tests is printed
// last.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkChanged } from "./check-changed.mjs";
import { countTests, formatCounts } from "./count-tests.mjs";
import { oneThread, runInBackground, runQuietly, runStep, secondsSince } from "./run-step.mjs";
import { readJson, root } from "./workspace.mjs";

const first = ["build", "pack:packages"];
/**
 * These steps only read sources. They run one after another, so as not to slow down the tests or each other.
 */
const inBackground = ["lint", "docs:build", "depcruise", "format:check"];
/** These steps use the build: the compiler reads its declarations instead of checking the packages again. */
const afterBuild = ["typecheck", "knip", "publint", "attw"];
const testReport = join(root, "node_modules/.cache/bearhug/tests.json");

const startedAtMs = performance.now();
await (process.argv.includes("--changed") ? checkChanged() : checkAll());

async function checkAll() {
  console.log(`\nBeside the build and the tests: ${inBackground.join(", ")}. How they ended follows.`);
  const [built, outcomes] = await Promise.all([buildAndTest(), runInTurn(inBackground)]);
  for (const { summary } of outcomes) console.log(summary);
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

/**
 * Builds and packs the packages, then tests them and checks the build. If the build fails, nothing is tested.
 */
async function buildAndTest() {
  rmSync(testReport, { force: true });
  const outcomes = [];
  for (const step of first) {
    const outcome = await runQuietly(step);
    console.log(outcome.summary);
    outcomes.push(outcome);
    if (!outcome.passed) return outcomes;
  }
  const [tests, others] = await Promise.all([runTests(), runInTurn(afterBuild)]);
  for (const { summary } of others) console.log(summary);
  return [...outcomes, tests, ...others];
}

function runTests() {
  return runStep("test:unit", {
    options: `--reporter=default --reporter=tools/vitest/retried-reporter.ts --reporter=json --outputFile.json="${testReport}"`,
    // The tests install the packages of this build. Runs of the command start esbuild, which is written in Go.
    env: { ...oneThread, BEARHUG_PACKED: join(root, "node_modules/.cache/bearhug/packed") },
  });
}

/**
 * Runs steps one after another.
 * @param {readonly string[]} steps
 */
async function runInTurn(steps) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runInBackground(step));
  return outcomes;
}
