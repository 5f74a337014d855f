import { readdirSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { constantsOf, textPatterns, textPlaceholder } from "./constant-texts.ts";
import { nodesIn, parseBundle, textOf, type AnyNode, type Program } from "./test-syntax.ts";

/**
 * The calls of a module that load names known only at run time, and the author's own files
 * that they may refer to.
 */
export interface DynamicLoads {
  /** The module's code, in which functions replace `import` and `require` in these calls. */
  readonly code: string;
  /** The name of the function that replaces `import`; null if none is needed. */
  readonly importName: string | null;
  readonly requireName: string | null;
  /** True if the module passes `require` on as a value. */
  readonly isRequirePassedOn: boolean;
  /** Files that `import` may refer to, by their paths from the module. */
  readonly imported: readonly string[];
  readonly required: readonly string[];
  /** False for CommonJS, and for a script without imports and exports. */
  readonly isModule: boolean;
}

interface Module {
  readonly path: string;
  /** False for a module of a package. */
  readonly isOwn: boolean;
  /** False for one of the author's own files that is loaded at run time. */
  readonly mayBundle: (path: string) => boolean;
}

/**
 * Finds the late loads of a module; null for code that cannot be parsed. The new names are as long as the
 * words that they replace, so no position moves.
 */
export function findDynamicLoads(code: string, { path, isOwn, mayBundle }: Module): DynamicLoads | null {
  const program = parseBundle(code);
  if (program === null) return null;
  const words = wordsOf(program, isOwn).toSorted((one, other) => one.start - other.start);
  const names = { import: freeName("Import", code), require: freeName("Require", code) };
  const constants = constantsOf(program);
  const files = isOwn
    ? (nodes: readonly Word[]): string[] => choicesOf(nodes, constants, { path, mayBundle })
    : () => [];
  const wordsOfKind = (kind: Word["kind"]): Word[] => words.filter((word) => word.kind === kind);
  const nameFor = (kind: Word["kind"]): string | null =>
    wordsOfKind(kind).length === 0 ? null : names[kind];
  let done = 0;
  const pieces = words.map(({ kind, start }) => {
    const before = code.slice(done, start);
    done = start + kind.length;
    return before + names[kind];
  });
  return {
    code: pieces.join("") + code.slice(done),
    importName: nameFor("import"),
    requireName: nameFor("require"),
    isRequirePassedOn: words.some(({ loaded }) => loaded === null),
    imported: files(wordsOfKind("import")),
    required: files(wordsOfKind("require")),
    isModule: program.body.some(({ type }) => /^(?:Import|Export)/.test(type)),
  };
}

/** A word `import` or `require` whose call loads a name known only at run time. */
interface Word {
  readonly kind: "import" | "require";
  readonly start: number;
  /** The argument of the call; null if `require` is passed on as a value. */
  readonly loaded: AnyNode | null;
}

function wordsOf(program: Program, isOwn: boolean): Word[] {
  const nodes = [...nodesIn(program)];
  // `require` is the module's own function then.
  const isRequireBound = nodes.some((node) => bindsRequire(node));
  const isRequire = (node: AnyNode): boolean => !isRequireBound && isNamedRequire(node);
  const isLate = (loaded: AnyNode): boolean => textOf(loaded) === null && (isOwn || !isGlob(loaded));
  return nodes.flatMap((node): Word[] => {
    if (node.type === "ImportExpression" && isLate(node.source))
      return [{ kind: "import", start: node.start, loaded: node.source }];
    if (node.type === "CallExpression" && isRequire(node.callee)) {
      const [loaded] = node.arguments;
      return loaded !== undefined && isLate(loaded)
        ? [{ kind: "require", start: node.callee.start, loaded }]
        : [];
    }
    const given =
      node.type === "AssignmentExpression"
        ? node.right
        : node.type === "VariableDeclarator"
          ? node.init
          : null;
    return given && isRequire(given) ? [{ kind: "require", start: given.start, loaded: null }] : [];
  });
}

function isNamedRequire(node: AnyNode | null | undefined): boolean {
  return node?.type === "Identifier" && node.name === "require";
}

function bindsRequire(node: AnyNode): boolean {
  if (node.type === "VariableDeclarator") return isNamedRequire(node.id);
  if (node.type === "ImportSpecifier" || node.type === "ImportDefaultSpecifier")
    return isNamedRequire(node.local);
  if (node.type === "FunctionDeclaration" && isNamedRequire(node.id)) return true;
  return "params" in node && node.params.some((parameter) => isNamedRequire(parameter));
}

/** True for names whose files esbuild itself finds, beside a module of a package: `./locale/${name}.js`. */
function isGlob(loaded: AnyNode): boolean {
  const [pattern = ""] = textPatterns(loaded, new Map());
  return /^\.{1,2}\//.test(pattern);
}

function freeName(wanted: string, code: string): string {
  for (let count = 0; ; count++) {
    const end = count === 0 ? "" : String(count);
    const name = wanted.slice(0, wanted.length - end.length) + end;
    if (!code.includes(name)) return name;
  }
}

/** The extensions of files that can be bundled. */
const bundled = /(?<!\.d)\.(?:[cm]?[jt]sx?|json)$/;

/**
 * Returns the author's own files that the calls of a module may load, by their paths from the module. Text
 * known only at run time is assumed to be part of a single file or folder name.
 */
function choicesOf(
  words: readonly Word[],
  constants: ReadonlyMap<string, AnyNode>,
  { path, mayBundle }: Omit<Module, "isOwn">,
): string[] {
  const folder = dirname(path);
  const found = new Set<string>();
  for (const { loaded } of words) {
    for (const pattern of loaded === null ? [] : textPatterns(loaded, constants)) {
      const wanted = pathOfPattern(pattern, folder);
      const files = wanted === null ? [] : filesLike(wanted);
      for (const file of files) if (file !== path && mayBundle(file)) found.add(file);
    }
  }
  return [...found].map((file) => `./${relative(folder, file).split(sep).join("/")}`).toSorted();
}

/** Returns the path of a pattern; null for the name of a package, and for a pattern that may be anything. */
function pathOfPattern(pattern: string, folder: string): string | null {
  try {
    if (pattern.startsWith("file:")) return fileURLToPath(pattern);
  } catch {
    return null;
  }
  return /^\.{1,2}\//.test(pattern) || isAbsolute(pattern) ? resolve(folder, pattern) : null;
}

function filesLike(pattern: string): string[] {
  const parts = pattern.split(sep);
  const first = parts.findIndex((part) => part.includes(textPlaceholder));
  const last = parts.length - 1;
  let folders = [parts.slice(0, first === -1 ? last : first).join(sep) || sep];
  for (const part of first === -1 ? [] : parts.slice(first, last))
    folders = folders.flatMap((folder) =>
      entriesOf(folder, "folder")
        .filter((name) => isLike(name, part))
        .map((name) => resolve(folder, name)),
    );
  const name = parts[last] ?? "";
  return folders.flatMap((folder) =>
    entriesOf(folder, "file")
      .filter((file) => bundled.test(file) && namesFor(file).some((one) => isLike(one, name)))
      .map((file) => resolve(folder, file)),
  );
}

/**
 * Returns the names by which modules may import a file: also without its extension, and with that of the
 * compiled JavaScript.
 */
function namesFor(file: string): string[] {
  return [file, file.replace(bundled, ""), file.replace(/\.([cm]?)tsx?$/, ".$1js")];
}

function isLike(name: string, pattern: string): boolean {
  const literal = pattern
    .split(textPlaceholder)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literal.join(".*")}$`, "s").test(name);
}

/**
 * Returns the names of a folder's entries, if it can be read, without those that a package manager or
 * an editor puts there.
 */
function entriesOf(folder: string, kind: "file" | "folder"): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => (kind === "folder" ? entry.isDirectory() : entry.isFile()))
      .map(({ name }) => name)
      .filter((name) => name !== "node_modules" && !name.startsWith("."));
  } catch {
    return [];
  }
}
