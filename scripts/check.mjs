// pnpm check: everything that CI runs. `pnpm check --changed` checks what changed since main alone, in less than a minute.
// Each step is a script of package.json, so that it can be run alone. The packages are built and packed before the tests,
// which install them. Tests that start processes wait half of their time, and the steps beside them use it, the tests that
// compute among them: they run at a low priority, and what they print follows. How the tests ended is printed last.
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
/** They start processes and wait for them, and come first; those that compute run beside them. */
const waiting = testRun(["waiting", "alone", "timed"]);
const computing = testRun(["units"]);

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
  const reports = [waiting, computing].filter(({ report }) => existsSync(report));
  if (reports.length > 0)
    console.log(formatCounts(countTests(reports.map(({ report }) => readReport(report)))));
}

/** @param {string} path */
function readReport(path) {
  return /** @type {import("./count-tests.mjs").TestReport} */ (readJson(path));
}

/** Builds and packs the packages; then tests them, and checks what was built. If they can't be built, nothing is tested. */
async function buildAndTest() {
  for (const { report } of [waiting, computing]) rmSync(report, { force: true });
  const outcomes = [];
  for (const step of first) {
    const outcome = await runQuietly(step);
    console.log(outcome.told);
    outcomes.push(outcome);
    if (!outcome.passed) return outcomes;
  }
  const [ofWaiting, ofComputing, others] = await Promise.all([
    runStep("test:unit", { ...waiting, options: `--reporter=default ${waiting.options}` }),
    runBeside("test:unit", { ...computing, options: `--reporter=dot ${computing.options}`, isToldAll: true }),
    runInTurn(ofBuilt),
  ]);
  for (const { told } of [ofComputing, ...others]) console.log(told);
  return [...outcomes, ofWaiting, ofComputing, ...others];
}

/**
 * Test projects that run together, with a report.
 * @param {string[]} projects
 */
function testRun(projects) {
  const report = join(root, `node_modules/.cache/bearhug/tests-${projects.join("-")}.json`);
  const chosen = projects.map((project) => `--project ${project}`).join(" ");
  const reporters = `--reporter=./vitest.retried.reporter.ts --reporter=json --outputFile.json="${report}"`;
  // The packages are those of this build.
  const env = { BEARHUG_PACKED: join(root, "node_modules/.cache/bearhug/packed") };
  return { report, options: `${chosen} ${reporters}`, env };
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
