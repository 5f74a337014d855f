// Adds the result to the baseline for the next runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { addToBaseline } from "./baseline-folder.ts";
import { read } from "./job-event.ts";
import { annotate, variable } from "./runner.ts";

const folder = variable("FOLDER");
const result = join(folder, "report/result.json");
const generator = read(JSON.parse(readFileSync(result, "utf8")), "generator", "verdict");

if (generator === "saturated")
  annotate("notice", "The load generator was saturated, so this run does not become part of the baseline.");
else addToBaseline(join(folder, "baseline"), result, variable("STARTS_ANEW") === "true");
