// Adds the result to the baseline that the next runs are compared with.
import { join } from "node:path";

import { addToBaseline } from "./baseline-folder.ts";
import { variable } from "./runner.ts";

addToBaseline(
  variable("BASELINE_FOLDER"),
  join(variable("FOLDER"), "result.json"),
  variable("STARTS_ANEW") === "true",
);
