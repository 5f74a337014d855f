import type { Reporter } from "./reporter.ts";
import { createFileReporter } from "./write-report.ts";

/** The result document itself, as a file. */
export function createJsonReporter(path: string): Reporter {
  return createFileReporter("json", path, (result) => `${JSON.stringify(result, null, 2)}\n`);
}
