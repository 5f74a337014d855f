import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";

import { renderJson } from "./json-text.ts";
import type { PlannedFile } from "./planned-file.ts";

/** A value that a JSON file should contain. */
export interface RequiredValue {
  /** The name shown to the user. */
  readonly name: string;
  readonly value: unknown;
  /** The value's path in the file; -1 after a list's path appends to the list. */
  readonly path: JSONPath;
  /** True if the file already has the value, or an equivalent. */
  readonly isIn: (tree: Node) => boolean;
}

/** The syntax that VS Code accepts. */
const parseOptions = { allowTrailingComma: true };

/**
 * Returns entries of an object of the file, each identified by its name. `elsewhere` returns other paths
 * where an entry may be.
 */
export function requiredEntries(
  object: string,
  entries: Readonly<Record<string, unknown>>,
  elsewhere: (name: string) => readonly JSONPath[] = () => [],
): RequiredValue[] {
  return Object.entries(entries).map(([name, value]) => ({
    name,
    value,
    path: [object, name],
    isIn: (tree) =>
      [[object, name], ...elsewhere(name)].some((path) => findNodeAtLocation(tree, path) !== undefined),
  }));
}

/** Returns elements of a list of objects, each identified by its value under `key`. */
export function requiredElements(
  list: string,
  key: string,
  elements: readonly Record<string, unknown>[],
): RequiredValue[] {
  return elements.map((value) => ({
    name: `"${String(value[key])}"`,
    value,
    path: [list, -1],
    isIn: (tree) => elementsOf(tree, list).some((one) => valueAt(one, [key]) === value[key]),
  }));
}

/** Returns a top-level value of the file. */
export function requiredTopLevel(name: string, value: unknown): RequiredValue {
  return { name, value, path: [name], isIn: (tree) => findNodeAtLocation(tree, [name]) !== undefined };
}

export function requiredTexts(list: string, texts: readonly string[]): RequiredValue[] {
  return texts.map((value) => ({
    name: value,
    value,
    path: [list, -1],
    isIn: (tree) => elementsOf(tree, list).some((one) => one.value === value),
  }));
}

/**
 * Adds missing values to a JSON file, which may have comments. Everything else stays as it is, including
 * white space. A file that is not a JSON object is left alone.
 */
export function addMissing(path: string, existing: string, required: readonly RequiredValue[]): PlannedFile {
  const tree = parse(existing);
  if (tree === null)
    return { kind: "kept", path, why: "is not valid JSON; fix it and run this command again" };
  const missing = required.filter(({ isIn }) => !isIn(tree));
  if (missing.length === 0) return { kind: "kept", path, why: "has everything already" };
  const misplaced = missing.find((one) => isMisplaced(tree, one));
  if (misplaced !== undefined) {
    return { kind: "kept", path, why: `its "${String(misplaced.path[0])}" is not what it should be` };
  }
  let text = existing;
  for (const one of missing) text = add(text, one);
  return { kind: "changed", path, text, added: missing.map(({ name }) => name).join(", ") };
}

/** Returns the texts of a list in a JSON file; null if there is no such list. */
export function readTexts(text: string, list: string): string[] | null {
  const tree = parse(text);
  if (tree === null || findNodeAtLocation(tree, [list]) === undefined) return null;
  return elementsOf(tree, list).map(({ value }) => String(value));
}

function add(text: string, { path, value }: RequiredValue): string {
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !unit.startsWith("\t"), tabSize: unit.length, eol };
  const isArrayInsertion = path.includes(-1);
  const longer = applyEdits(text, modify(text, path, value, { isArrayInsertion, formattingOptions }));
  const node = addedNode(longer, path);
  if (node === undefined) return longer;
  const lineStart = longer.lastIndexOf("\n", node.offset) + 1;
  const line = longer.slice(lineStart, node.offset);
  const before = /^[ \t]*/.exec(line)?.[0] ?? "";
  const rendered = renderJson(value, { unit, before }, line.length).replaceAll("\n", eol);
  return longer.slice(0, node.offset) + rendered + longer.slice(node.offset + node.length);
}

/** Returns the node of the value that was added at a path. */
function addedNode(text: string, path: JSONPath): Node | undefined {
  const tree = parseTree(text, [], parseOptions);
  if (tree === undefined) return undefined;
  return path.at(-1) === -1
    ? findNodeAtLocation(tree, path.slice(0, -1))?.children?.at(-1)
    : findNodeAtLocation(tree, path);
}

function parse(text: string): Node | null {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, parseOptions);
  return errors.length === 0 && tree?.type === "object" ? tree : null;
}

/** True if the list or object to extend has another type. */
function isMisplaced(tree: Node, { path: [first = "", second] }: RequiredValue): boolean {
  if (second === undefined) return false;
  const node = findNodeAtLocation(tree, [first]);
  return node !== undefined && node.type !== (second === -1 ? "array" : "object");
}

function elementsOf(tree: Node, list: string): readonly Node[] {
  return findNodeAtLocation(tree, [list])?.children ?? [];
}

function valueAt(node: Node, path: JSONPath): unknown {
  return findNodeAtLocation(node, path)?.value;
}
