import type { BundlePosition } from "@bearhug/metrics/error-log";
import { once } from "@bearhug/sdk/internal";
import { attempt } from "@bearhug/text/caught-error";
import { parse, type AnyNode, type AssignmentProperty, type Program, type Property } from "acorn";

export type { AnyNode, Program } from "acorn";

/**
 * Returns the syntax tree of a bundled test; null for syntax that the parser does not know yet,
 * although Node may run it.
 */
export function parseBundle(code: string): Program | null {
  return attempt(() => parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true }));
}

/** Matches the modules of packages: esbuild begins each module with a comment that contains its path. */
const packageModules = /^\/\/ (?:.*\/)?node_modules\/.*\n(?:(?!\/\/ ).*\n)*/gm;

/** Parses on the first call; null if the code cannot be parsed. */
export type Parse = () => Program | null;

/**
 * Returns the parsers of the programs in which a definition is searched, one after the other: the author's
 * own code in the bundle, then the whole bundle. Packages, which may be most of it, take a second to parse;
 * few contain a part of the test. Positions in both programs are those of the bundle.
 */
export function parsesOf(readBundle: () => string): readonly Parse[] {
  const code = once(readBundle);
  return [once(() => parseOwn(code())), once(() => parseBundle(code()))];
}

/**
 * Parses the code without packages. Null if it has none, or if the rest is not a program, because a string
 * contains a line that looks like the beginning of a module.
 */
function parseOwn(code: string): Program | null {
  const own = code.replaceAll(packageModules, (text) => "\n".repeat(text.split("\n").length - 1));
  return own === code ? null : parseBundle(own);
}

export type AnyProperty = Property | AssignmentProperty;

/** Returns the name of a property; null if it is computed. */
export function nameOf({ key, computed }: AnyProperty): string | null {
  return !computed && key.type === "Identifier" ? key.name : textOf(key);
}

/** Returns the text of a string or of a template without values; null for another expression. */
export function textOf(node: AnyNode): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  const [only, ...others] = node.quasis;
  return others.length === 0 ? (only?.value.cooked ?? null) : null;
}

/**
 * Yields a node and all nodes below it, in the order of the source. Not recursive: generated code
 * can be nested deeply.
 */
export function* nodesIn(root: AnyNode): Generator<AnyNode> {
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

export function positionOf({ loc }: AnyNode): BundlePosition | null {
  return loc ? { line: loc.start.line, column: loc.start.column + 1 } : null;
}
