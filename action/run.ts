// Runs the test, or merges the shards of a run. bearhug itself writes the job summary, annotations and this
// step's outputs.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

import { runBearhug } from "./bearhug-command.ts";
import { annotate, variable } from "./runner.ts";
import { splitArguments } from "./split-arguments.ts";

const folder = variable("FOLDER");
const outputs = ["json=result.json", "markdown=report.md", "html=report.html", "junit=junit.xml"];

try {
  process.exitCode = await runBearhug(variable("INPUT_VERSION"), [
    ...commandOf(variable("INPUT_MERGE"), variable("INPUT_TARGET")),
    ...outputs.flatMap((output) => ["--out", output.replace("=", `=${join(folder, "report/")}`)]),
    ...splitArguments(variable("INPUT_ARGS")),
    "--",
    ...filesOf(variable("INPUT_MERGE"), variable("INPUT_TEST")),
  ]);
  if (process.exitCode === 0 && !existsSync(join(folder, "report/result.json")))
    throw new Error("bearhug wrote no result, so nothing was tested: see the input `args`.");
} catch (error) {
  annotate("error", error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function commandOf(merge: string, target: string): string[] {
  if (merge !== "") return ["merge"];
  return target === "" ? ["run"] : ["run", "--target", target];
}

function filesOf(merge: string, test: string): string[] {
  if (merge === "") return [test];
  const recordings = globSync(merge).toSorted();
  if (recordings.length === 0)
    throw new Error("No file matches the input `merge`: no shard left a recording.");
  return recordings;
}
