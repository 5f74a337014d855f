import type { BundlePosition } from "@bearhug/metrics/error-log";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { SourceLines } from "./source-lines.ts";
import {
  nodesIn,
  positionOf,
  propertiesOf,
  textOf,
  type AnyNode,
  type Parse,
  type Program,
} from "./test-syntax.ts";

/** Finds thresholds of a test in the sources of its bundle. The first of `parses` is called when the first is asked for. */
export function createThresholdFinder(
  parses: readonly Parse[],
  lines: SourceLines,
): (key: string, expression: string) => SourcePosition | null {
  return (key, expression) => {
    for (const parse of parses) {
      const program = parse();
      const position = program === null ? null : findThreshold(program, key, expression);
      if (position !== null) return lines.locate(position)?.source ?? null;
    }
    return null;
  };
}

/**
 * Finds the line of a threshold: the text of its expression under its metric's key, in any object. If the test computes the
 * expression, the key in `thresholds`. Null if neither is written, if the key is written several times, or if all of its
 * expressions are written out: then the threshold is none of the test's, but of the command line.
 */
function findThreshold(program: Program, key: string, expression: string): BundlePosition | null {
  for (const property of propertiesOf(program, key)) {
    for (const node of nodesIn(property.value)) if (textOf(node) === expression) return positionOf(node);
  }
  const inThresholds = propertiesOf(program, "thresholds").flatMap(({ value }) => propertiesOf(value, key));
  const [only, ...others] = new Set(inThresholds);
  if (only === undefined || others.length > 0 || isWrittenOut(only.value)) return null;
  return positionOf(only);
}

/** Texts and lists of them, without any variable, call or spread. */
function isWrittenOut(node: AnyNode | null): boolean {
  if (node === null) return false;
  if (node.type === "ArrayExpression") return node.elements.every(isWrittenOut);
  if (node.type === "ObjectExpression")
    return node.properties.every((one) => one.type === "Property" && isWrittenOut(one.value));
  return node.type === "Literal" || textOf(node) !== null;
}
