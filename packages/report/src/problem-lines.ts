import { writePosition } from "@bearhug/metrics/results/source-position";
import type { TestResult } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";

import { annotateResult } from "./github/annotations.ts";

/**
 * Renders the problems of a run in the format that editors parse, a line each: `load/shop.ts:14:48: error:
 * Error: no users`.
 */
export function renderProblemLines(result: TestResult): string[] {
  return annotateResult(result, (file) => file).flatMap(({ level, message, place }) => {
    if (place === null) return [];
    return [printable(`${writePosition({ line: 1, column: 1, ...place })}: ${level}: ${message}`)];
  });
}
