import type { SourcePosition } from "@bearhug/sdk/internal";

import type { BundlePosition } from "../metrics/error-log.ts";
import type { SourceLines } from "./source-lines.ts";
import { nodesIn, positionOf, propertiesOf, textOf, type Program } from "./test-syntax.ts";

/** Finds thresholds of a test in the sources that its author wrote. `parsed` is called when the first is asked for. */
export function createThresholdFinder(
  parsed: () => Program | null,
  lines: SourceLines,
): (key: string, expression: string) => SourcePosition | null {
  return (key, expression) => {
    const program = parsed();
    const position = program === null ? null : findThreshold(program, key, expression);
    return position === null ? null : (lines.locate(position)?.source ?? null);
  };
}

/**
 * Finds the line of a threshold: the text of its expression under its metric's key, in any object. If the test computes the
 * expression, the key in `thresholds`. Null if neither is written, or if the key is written several times.
 */
function findThreshold(program: Program, key: string, expression: string): BundlePosition | null {
  for (const property of propertiesOf(program, key)) {
    for (const node of nodesIn(property.value)) if (textOf(node) === expression) return positionOf(node);
  }
  const inThresholds = propertiesOf(program, "thresholds").flatMap(({ value }) => propertiesOf(value, key));
  const [only, ...others] = new Set(inThresholds);
  return only === undefined || others.length > 0 ? null : positionOf(only);
}
