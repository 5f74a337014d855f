// Compares the result with the baseline. A regression fails the job, like a failed threshold.
import { appendFileSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { listBaseline } from "./baseline-folder.ts";
import { runBearhug } from "./bearhug-command.ts";
import { annotate, setOutputs, variable } from "./runner.ts";

const regressed = 99;
const notComparable = 104;

const baseline = variable("INPUT_BASELINE");
const folder = variable("FOLDER");
const isKept = baseline === "artifact" || baseline === "cache";

if (!isKept && statSync(baseline, { throwIfNoEntry: false })?.isFile() !== true) {
  annotate(
    "error",
    `The baseline ${baseline} is no file: give \`artifact\`, \`cache\`, or the path of a JSON result.`,
  );
  fail(notComparable);
} else {
  const base = isKept ? listBaseline(join(folder, "baseline")) : [copyBaseline()];
  if (base.length > 0) judge(await compare(base));
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
  ];
  const files = [...base.map((name) => `baseline/${name}`), "report/result.json"];
  return runBearhug(variable("INPUT_VERSION"), ["compare", ...options, "--", ...files], folder);
}

function judge(exitCode: number): void {
  if (exitCode === 0) return;
  // A baseline in an artifact or a cache starts anew once the change is merged. One in the repository is
  // updated with its test.
  if (isKept && exitCode === notComparable) {
    skip("warning", "This run cannot be compared with the baseline: the log of the step says why.");
    setOutputs({ "starts-anew": "true" });
  } else fail(exitCode);
}

function fail(exitCode: number): void {
  setOutputs({ verdict: exitCode === regressed ? "failed" : "errored", "exit-code": String(exitCode) });
  process.exitCode = exitCode;
}

function skip(level: "notice" | "warning", sentence: string): void {
  annotate(level, sentence);
  writeFileSync(join(folder, "report/comparison.md"), `${sentence}\n`);
  appendFileSync(variable("GITHUB_STEP_SUMMARY"), `${sentence}\n`);
}
