import { printableJson } from "@bearhug/sdk/internal";

import type { Reporter } from "./reporter.ts";
import { createFileReporter } from "./write-report.ts";

/** The result document itself, as a file. */
export function createJsonReporter(path: string): Reporter {
  return createFileReporter("json", path, (result) => `${printableJson(result, 2)}\n`);
}
