import type { SourcePosition } from "@bearhug/sdk/result";

import type { SourceLines } from "./source-lines.ts";
import { nameOf, positionOf, type AnyNode, type Parse, type Program } from "./test-syntax.ts";

/**
 * Returns a function that finds options of a test in the sources of its bundle, by paths such as
 * `scenarios.readers.rate`; the empty path is the test as a whole. For an option that is not in the source,
 * it returns the innermost option around it, and null if no test is found at all.
 */
export function createOptionFinder(
  parses: readonly Parse[],
  lines: SourceLines,
): (path: string) => SourcePosition | null {
  return (path) => {
    for (const node of nodesOnPath(parses, keysOf(path)).toReversed()) {
      const position = positionOf(node);
      const source = position === null ? null : lines.sourceAt(position);
      if (source !== null) return source;
    }
    return null;
  };
}

/** Returns the keys of a path in the form of a `Problem`: `stages[0].target`, `thresholds["a{b:c}"]`. */
function keysOf(path: string): string[] {
  const parts = path.matchAll(/\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|([^.[\]]+)/g);
  return Array.from(parts, ([, quoted, index, name]) =>
    quoted === undefined ? (index ?? name ?? "") : String(JSON.parse(quoted)),
  );
}

/** Returns the nodes of the first program that has the whole path, otherwise those of the last program. */
function nodesOnPath(parses: readonly Parse[], keys: readonly string[]): AnyNode[] {
  let nodes: AnyNode[] = [];
  for (const parse of parses) {
    const program = parse();
    if (program !== null) nodes = writtenNodes(program, keys);
    if (nodes.length > keys.length) break;
  }
  return nodes;
}

/** Returns the call of `defineTest`, then each option on the path, as far as they are in the source. */
function writtenNodes(program: Program, keys: readonly string[]): AnyNode[] {
  const variables = variablesOf(program);
  const exported = defaultExport(program);
  if (exported === null) return [];
  const test = resolve(exported, variables);
  const nodes = [test];
  let value = definitionOf(test, variables);
  for (const key of keys) {
    const member = memberOf(value, key, variables);
    if (member === null) break;
    nodes.push(member);
    value = resolve(member.type === "Property" ? member.value : member, variables);
  }
  return nodes;
}

type Variables = ReadonlyMap<string, AnyNode>;

/** Returns the values of the module's variables. */
function variablesOf({ body }: Program): Variables {
  const declared = body.flatMap((node) => (node.type === "VariableDeclaration" ? node.declarations : []));
  return new Map(
    declared.flatMap(({ id, init }) => (id.type === "Identifier" && init ? [[id.name, init] as const] : [])),
  );
}

/** A bundle exports by name: `export { test_default as default }`. */
function defaultExport({ body }: Program): AnyNode | null {
  const specifiers = body.flatMap((node) => (node.type === "ExportNamedDeclaration" ? node.specifiers : []));
  return (
    specifiers.find(({ exported }) => exported.type === "Identifier" && exported.name === "default")?.local ??
    null
  );
}

/** The longest chain of variables that is followed: a variable may refer to itself. */
const maxVariables = 10;

/** Returns the expression that a variable stands for. */
function resolve(node: AnyNode, variables: Variables): AnyNode {
  let resolved = node;
  for (let count = 0; count < maxVariables && resolved.type === "Identifier"; count++)
    resolved = variables.get(resolved.name) ?? resolved;
  return resolved;
}

/** Returns the argument of `defineTest`. */
function definitionOf(test: AnyNode, variables: Variables): AnyNode {
  const [argument] = test.type === "CallExpression" ? test.arguments : [];
  return argument === undefined ? test : resolve(argument, variables);
}

/** Returns a property of an object or of one that is spread into it, or an element of an array. */
function memberOf(value: AnyNode, key: string, variables: Variables, depth = 0): AnyNode | null {
  if (value.type === "ArrayExpression") return value.elements[Number(key)] ?? null;
  if (value.type !== "ObjectExpression" || depth > maxVariables) return null;
  for (const property of value.properties.toReversed()) {
    if (property.type === "Property") {
      if (nameOf(property) === key) return property;
      continue;
    }
    const spread = memberOf(resolve(property.argument, variables), key, variables, depth + 1);
    if (spread !== null) return spread;
  }
  return null;
}
