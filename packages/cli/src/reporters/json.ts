import type { Reporter } from "./reporter.ts";
import { writeReport } from "./write-report.ts";

/** The result document itself, as a file. */
export function createJsonReporter(path: string): Reporter {
  return {
    name: "json",
    onEnd: (result) => writeReport("json", path, `${JSON.stringify(result, null, 2)}\n`),
  };
}
