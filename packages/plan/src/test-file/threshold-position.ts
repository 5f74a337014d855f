import type { BundlePosition } from "@bearhug/metrics/error-log";
import { once } from "@bearhug/sdk/internal";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { SourceLines } from "./source-lines.ts";
import {
  nameOf,
  nodesIn,
  positionOf,
  textOf,
  type AnyNode,
  type AnyProperty,
  type Parse,
  type Program,
} from "./test-syntax.ts";

/** The properties of a program by their names, null if computed, in the order of the source. */
type Properties = ReadonlyMap<string | null, readonly AnyProperty[]>;

/**
 * Returns a function that finds thresholds of a test in the sources of its bundle. Nothing is parsed
 * before its first call.
 */
export function createThresholdFinder(
  parses: readonly Parse[],
  lines: SourceLines,
): (key: string, expression: string) => SourcePosition | null {
  // A test may have hundreds of thresholds: each program is searched only once.
  const readings = parses.map((parse) => once(() => propertiesOf(parse())));
  return (key, expression) => {
    for (const read of readings) {
      const position = findThreshold(read(), key, expression);
      if (position !== null) return lines.sourceAt(position);
    }
    return null;
  };
}

function propertiesOf(program: Program | null): Properties {
  const nodes = program === null ? [] : [...nodesIn(program)].filter((node) => node.type === "Property");
  return Map.groupBy(nodes, nameOf);
}

/**
 * Finds the line of a threshold: the text of its expression under its metric's key, in any object. If the
 * test computes the expression, the key in `thresholds`. Null if neither is in the source, if the key
 * occurs several times, or if all of its expressions are literals: then the threshold comes from the
 * command line, not from the test.
 */
function findThreshold(properties: Properties, key: string, expression: string): BundlePosition | null {
  const named = properties.get(key) ?? [];
  for (const { value } of named) {
    for (const node of nodesIn(value)) if (textOf(node) === expression) return positionOf(node);
  }
  const thresholds = properties.get("thresholds") ?? [];
  const inThresholds = named.filter(({ start, end }) =>
    thresholds.some(({ value }) => start >= value.start && end <= value.end),
  );
  const [only, ...others] = inThresholds;
  if (only === undefined || others.length > 0 || isWrittenOut(only.value)) return null;
  return positionOf(only);
}

/** True for literals, and for lists and objects of them, without any variable, call or spread. */
function isWrittenOut(node: AnyNode | null): boolean {
  if (node === null) return false;
  if (node.type === "ArrayExpression") return node.elements.every(isWrittenOut);
  if (node.type === "ObjectExpression")
    return node.properties.every((one) => one.type === "Property" && isWrittenOut(one.value));
  return node.type === "Literal" || textOf(node) !== null;
}
