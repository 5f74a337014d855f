// pnpm check: runs everything that CI runs. `pnpm check --changed` checks only what changed since main, in
// less than a minute. Each step is a script of package.json, so it can be run alone. The packages are built
// and packed before the tests, which install them. Tests that start processes wait half of their time; other
// steps and tests use that time at a low priority, and their output is printed afterwards. The counts of all
// tests are printed last.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkChanged } from "./check-changed.mjs";
import { countTests, describeFailures, formatCounts } from "./test-reports.mjs";
import { oneThread, runInBackground, runQuietly, runStep, secondsSince } from "./run-step.mjs";
import { readJson, root } from "./workspace.mjs";

const first = ["build", "pack:packages"];
/**
 * These steps only read sources. They run one after another, so as not to slow down the tests or each other.
 */
const inBackground = ["lint", "docs:build", "depcruise", "format:check"];
/** These steps use the build: the compiler reads its declarations instead of checking the packages again. */
const afterBuild = ["typecheck", "knip", "publint", "attw"];
/**
 * The projects of vitest that run together. Those that start processes wait half of the time, and those that only
 * compute use it.
 */
const testGroups = { waiting: ["waiting", "alone"], units: ["units"], timed: ["timed"] };
const reportsFolder = join(root, "node_modules/.cache/bearhug/tests");

/** @typedef {import("./run-step.mjs").Outcome} Outcome */

const startedAtMs = performance.now();
await (process.argv.includes("--changed") ? checkChanged() : checkAll());

async function checkAll() {
  rmSync(reportsFolder, { recursive: true, force: true });
  console.log(`\nBeside the build and the tests: ${inBackground.join(", ")}. How they ended follows.`);
  const sourcesChecked = runInTurn(inBackground);
  const built = await build();
  const isBuilt = built.every(({ passed }) => passed);
  const outcomes = [...built, ...(isBuilt ? await checkBuild(sourcesChecked) : shown(await sourcesChecked))];
  const reports = Object.keys(testGroups).map(reportOf);
  const read = /** @type {import("./test-reports.mjs").TestReport[]} */ (
    reports.filter((path) => existsSync(path)).map((path) => readJson(path))
  );
  for (const failure of describeFailures(read)) console.error(`\n✖ ${failure}`);
  const failed = outcomes.filter(({ passed }) => !passed).map(({ step }) => step);
  if (failed.length > 0) {
    console.error(`\n✖ Failed: ${failed.join(", ")}.`);
    process.exitCode = 1;
  }
  console.log(`\nChecked in ${secondsSince(startedAtMs)} s.\n`);
  if (read.length === reports.length) console.log(formatCounts(countTests(read)));
}

/** Builds and packs the packages, up to the first step that fails. */
async function build() {
  const outcomes = [];
  for (const step of first) {
    outcomes.push(...shown([await runQuietly(step)]));
    if (!outcomes.every(({ passed }) => passed)) break;
  }
  return outcomes;
}

/**
 * Tests, and checks the build. The timed tests wait until nothing else runs.
 * @param {Promise<Outcome[]>} sourcesChecked
 */
async function checkBuild(sourcesChecked) {
  const [waiting, units, ...others] = await Promise.all([
    runStep("test:unit", testsOf("waiting")),
    runInBackground("test:unit", testsOf("units")),
    sourcesChecked,
    runInTurn(afterBuild),
  ]);
  // A test that passed when it was tried again is named there.
  if (units.passed) console.log(units.printed);
  const quiet = [units, ...others.flat()];
  shown(quiet.filter(({ passed }) => passed));
  const timed = await runStep("test:unit", testsOf("timed"));
  // What failed is shown last, where it is looked for.
  shown(quiet.filter(({ passed }) => !passed));
  return [waiting, ...quiet, timed];
}

/**
 * Prints how steps ended.
 * @param {readonly Outcome[]} outcomes
 */
function shown(outcomes) {
  for (const { summary } of outcomes) console.log(summary);
  return outcomes;
}

/** @param {keyof typeof testGroups} group */
function testsOf(group) {
  const projects = testGroups[group].map((project) => `--project ${project}`).join(" ");
  return {
    options: `${projects} --reporter=default --reporter=tools/vitest/retried-reporter.ts --reporter=json --outputFile.json="${reportOf(group)}"`,
    // The tests install the packages of this build. Runs of the command start esbuild, which is written in Go.
    env: { ...oneThread, BEARHUG_PACKED: join(root, "node_modules/.cache/bearhug/packed") },
  };
}

/** @param {string} group */
function reportOf(group) {
  return join(reportsFolder, `${group}.json`);
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
