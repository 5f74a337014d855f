import type { BundlePosition } from "@bearhug/metrics/error-log";
import { once } from "@bearhug/sdk/internal";
import { parse, type AnyNode, type AssignmentProperty, type Program, type Property } from "acorn";

export type { AnyNode, Program } from "acorn";

/** The syntax tree of a bundled test. Null for what the parser does not know yet: Node may run it all the same. */
export function parseBundle(code: string): Program | null {
  try {
    return parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch {
    return null;
  }
}

/** esbuild begins each module with its path. Those of packages go up to the next. */
const packageModules = /^\/\/ (?:.*\/)?node_modules\/.*\n(?:(?!\/\/ ).*\n)*/gm;

/** Parses on the first call. Null as of `parseBundle`. */
export type Parse = () => Program | null;

/**
 * The syntax trees in which a definition is sought, one after the other: that of what the author of a bundled test wrote, then
 * that of the whole bundle. Packages, which may be most of it, take a second to parse; few of them have a part of the test.
 * Both have their places in the bundle.
 */
export function parsesOf(readBundle: () => string): readonly Parse[] {
  const code = once(readBundle);
  return [once(() => parseOwn(code())), once(() => parseBundle(code()))];
}

/** Null where nothing can be left out: also if the rest is no program, because a text has a line that begins as a module does. */
function parseOwn(code: string): Program | null {
  const own = code.replaceAll(packageModules, (text) => "\n".repeat(text.split("\n").length - 1));
  return own === code ? null : parseBundle(own);
}

export type AnyProperty = Property | AssignmentProperty;

/** The name of a property; null for one that is computed. */
export function nameOf({ key, computed }: AnyProperty): string | null {
  return !computed && key.type === "Identifier" ? key.name : textOf(key);
}

/** The text of a string, also of a template without values; null for another expression. */
export function textOf(node: AnyNode): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  const [only, ...others] = node.quasis;
  return others.length === 0 ? (only?.value.cooked ?? null) : null;
}

/** A node and all below it, in the order of the source. Not recursive: generated code can be nested deeply. */
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
