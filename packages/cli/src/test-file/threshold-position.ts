import { readFileSync } from "node:fs";

import type { SourcePosition } from "@bearhug/sdk/internal";
import { parse, type AnyNode, type AssignmentProperty, type Program, type Property } from "acorn";

import type { BundlePosition } from "../metrics/error-log.ts";
import type { SourceLines } from "./source-lines.ts";

/** Finds thresholds of a test in the sources that its author wrote. The bundle is parsed when the first is asked for. */
export function createThresholdFinder(
  bundlePath: string,
  lines: SourceLines,
): (key: string, expression: string) => SourcePosition | null {
  let program: Program | null | undefined;
  return (key, expression) => {
    program ??= parseBundle(readFileSync(bundlePath, "utf8"));
    const position = program === null ? null : findThreshold(program, key, expression);
    return position === null ? null : (lines.locate(position)?.source ?? null);
  };
}

/** Null for what the parser does not know yet: Node may run it all the same. */
function parseBundle(code: string): Program | null {
  try {
    return parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch {
    return null;
  }
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

type AnyProperty = Property | AssignmentProperty;

function propertiesOf(root: AnyNode, key: string): AnyProperty[] {
  return [...nodesIn(root)].flatMap((node) =>
    node.type === "Property" && nameOf(node) === key ? [node] : [],
  );
}

function nameOf({ key, computed }: AnyProperty): string | null {
  return !computed && key.type === "Identifier" ? key.name : textOf(key);
}

/** The text of a string, also of a template without values; null for another expression. */
function textOf(node: AnyNode): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  const [only, ...others] = node.quasis;
  return others.length === 0 ? (only?.value.cooked ?? null) : null;
}

/** A node and all below it, in the order of the source. Not recursive: generated code can be nested deeply. */
function* nodesIn(root: AnyNode): Generator<AnyNode> {
  const open: AnyNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    const children: unknown[] = Object.values(node).flat();
    open.push(...children.filter(isNode).toReversed());
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function positionOf({ loc }: AnyNode): BundlePosition | null {
  return loc ? { line: loc.start.line, column: loc.start.column + 1 } : null;
}
