// Compares the result with the baseline. A regression fails the job as a threshold does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { listBaseline } from "./baseline-folder.ts";
import { runBearhug } from "./bearhug-command.ts";
import { annotate, setOutputs, variable } from "./runner.ts";

const regressed = 99;
const notComparable = 104;

const baseline = variable("INPUT_BASELINE");
const tolerance = variable("INPUT_TOLERANCE");
const folder = variable("FOLDER");
const isKept = baseline === "artifact" || baseline === "cache";
const base = isKept ? listBaseline(variable("BASELINE_FOLDER")) : [baseline];

if (base.length === 0)
  skip("notice", "There is no baseline yet: the next passed run of the default branch lays one.");
else {
  const exitCode = await runBearhug(variable("INPUT_VERSION"), [
    "compare",
    ...[
      "--out",
      `markdown=${join(folder, "comparison.md")}`,
      "--out",
      `json=${join(folder, "comparison.json")}`,
    ],
    ...(tolerance === "" ? [] : ["--tolerance", tolerance]),
    "--",
    ...base,
    join(folder, "result.json"),
  ]);
  // A baseline that is kept is laid anew once the change is merged. A file in the repository changes with its test.
  if (isKept && exitCode === notComparable) {
    skip(
      "warning",
      "This run was not compared with the baseline: the log of the step says why. A baseline to fit it follows.",
    );
    setOutputs({ "starts-anew": "true" });
  } else if (exitCode !== 0) {
    setOutputs({ verdict: exitCode === regressed ? "failed" : "errored", "exit-code": String(exitCode) });
    process.exitCode = exitCode;
  }
}

function skip(level: "notice" | "warning", sentence: string): void {
  annotate(level, sentence);
  writeFileSync(join(folder, "comparison.md"), `${sentence}\n`);
}
