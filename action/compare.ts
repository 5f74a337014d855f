// Compares the result with the baseline. A regression fails the job, like a failed threshold.
import { appendFileSync, copyFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { listBaseline } from "./baseline-folder.ts";
import { runBearhug } from "./bearhug-command.ts";
import { annotate, setOutputs, variable } from "./runner.ts";

const regressed = 99;
const notComparable = 104;

const baseline = variable("INPUT_BASELINE");
const folder = variable("FOLDER");
const isKept = baseline === "artifact" || baseline === "cache";
const comparison = join(folder, "report/comparison.md");

if (!isKept && statSync(baseline, { throwIfNoEntry: false })?.isFile() !== true) {
  annotate(
    "error",
    `The baseline ${baseline} is no file: give \`artifact\`, \`cache\`, or the path of a JSON result.`,
  );
  fail(notComparable);
} else {
  const base = isKept ? listBaseline(join(folder, "baseline")) : [copyBaseline()];
  if (base.length > 0) judge(await compare(base));
  else if (variable("BASELINE_LOST") === "true") fail(notComparable);
  else skip("notice", "There is no baseline yet: the next passed run of the default branch becomes it.");
}

function copyBaseline(): string {
  const name = basename(baseline);
  copyFileSync(baseline, join(folder, "baseline", name));
  return name;
}

/** Runs the comparison in the action's own folder, so that reports show short paths. */
async function compare(base: readonly string[]): Promise<number> {
  const [tolerance, allow] = [variable("INPUT_TOLERANCE"), variable("INPUT_ALLOW")];
  const options = [
    "--out",
    "markdown=report/comparison.md",
    "--out",
    "json=report/comparison.json",
    "--fail-on",
    variable("INPUT_FAIL_ON"),
    ...(tolerance === "" ? [] : ["--tolerance", tolerance]),
    ...(allow === "" ? [] : ["--allow", allow]),
    // A pull request may change the test. One that changes a baseline in the repository with it stays
    // comparable.
    ...(isKept ? ["--if-incomparable", "warn"] : []),
  ];
  const files = [...base.map((name) => `baseline/${name}`), "report/result.json"];
  return runBearhug(variable("INPUT_VERSION"), ["compare", ...options, "--", ...files], folder);
}

function judge(exitCode: number): void {
  if (exitCode === notComparable && !["passed", "failed"].includes(variable("RUN_VERDICT"))) {
    skip("notice", "The run ended early, so it is not compared with the baseline.");
    return;
  }
  // A baseline that does not fit any more starts anew once the change is merged.
  if (isKept && exitCode === notComparable) setOutputs({ "starts-anew": "true" });
  if (exitCode !== 0) {
    fail(exitCode);
  } else if (!existsSync(comparison)) {
    skip("warning", "This run cannot be compared with the baseline: the log of the step says why.");
    setOutputs({ "starts-anew": "true" });
  }
}

function fail(exitCode: number): void {
  if (!existsSync(comparison))
    write(`## ❌ bearhug compare: not compared, exit code ${exitCode}\n\nThe log says why.\n`);
  setOutputs({ verdict: exitCode === regressed ? "failed" : "errored", "exit-code": String(exitCode) });
  process.exitCode = exitCode;
}

function skip(level: "notice" | "warning", sentence: string): void {
  annotate(level, sentence);
  write(`${sentence}\n`);
}

/** Writes what there is in place of a comparison. */
function write(markdown: string): void {
  writeFileSync(comparison, markdown);
  appendFileSync(variable("GITHUB_STEP_SUMMARY"), markdown);
}
