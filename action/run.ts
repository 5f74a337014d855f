// Runs the test. bearhug itself writes the job summary, annotations and this step's outputs.
import { join } from "node:path";

import { runBearhug } from "./bearhug-command.ts";
import { annotate, variable } from "./runner.ts";
import { splitArguments } from "./split-arguments.ts";

const folder = variable("FOLDER");
const target = variable("INPUT_TARGET");
const outputs = ["json=result.json", "markdown=report.md", "html=report.html", "junit=junit.xml"];

try {
  process.exitCode = await runBearhug(variable("INPUT_VERSION"), [
    "run",
    ...outputs.flatMap((output) => ["--out", output.replace("=", `=${join(folder, "report/")}`)]),
    ...(target === "" ? [] : ["--target", target]),
    ...splitArguments(variable("INPUT_ARGS")),
    "--",
    variable("INPUT_TEST"),
  ]);
} catch (error) {
  annotate("error", error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
