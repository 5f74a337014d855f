// pnpm exec node tools/house-figures.mjs: prints how large the sources are, and how they are divided into
// files. Tests and generated files are excluded. bench/request-files.ts lists the files that a request runs.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./workspace.mjs";

/** A smaller file with a single importer may belong into that importer, unless it is imported on demand. */
const smallLines = 40;

const paths = globSync("packages/*/{src,bin}/**/*.{ts,js}", { cwd: root }).sort();
/** @type {Map<string, number[]>} */
const sizes = new Map();
/** @type {Map<string, Set<string>>} */
const importers = new Map(paths.map((path) => [path, new Set()]));
/** @type {Set<string>} */
const loadedLate = new Set();
/** @type {string[]} */
const small = [];
let noOpSpreads = 0;
for (const path of paths) {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.split("\n").length - 1;
  const file = measure(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  if (lines < smallLines) small.push(path);
  noOpSpreads += file.noOpSpreads;
  for (const specifier of file.imports) importers.get(moduleOf(specifier, path))?.add(path);
  for (const specifier of file.lateImports) loadedLate.add(moduleOf(specifier, path));
  for (const place of placesOf(path)) {
    const [files = 0, linesBefore = 0, tokens = 0] = sizes.get(place) ?? [];
    sizes.set(place, [files + 1, linesBefore + lines, tokens + file.tokens]);
  }
}
console.log(row("", ["files", "lines", "tokens", "per line"]));
for (const [place, [files = 0, lines = 0, tokens = 0]] of [...sizes].sort()) {
  console.log(row(place, [files, lines, tokens, (tokens / lines).toFixed(2)]));
}
const single = small.filter((path) => importers.get(path)?.size === 1 && !loadedLate.has(path));
console.log(
  `\n${noOpSpreads} no-op spreads, ${single.length} files under ${smallLines} lines with one importer:`,
);
for (const path of single) console.log(`${path}, of ${[...(importers.get(path) ?? [])].join("")}`);

/**
 * @param {string} place
 * @param {readonly (string | number)[]} figures
 */
function row(place, figures) {
  return place.padEnd(32) + figures.map((figure) => String(figure).padStart(10)).join("");
}

/**
 * Returns the file that an import refers to. Imports from outside the repository become paths that do not
 * exist.
 * @param {string} specifier
 * @param {string} importer
 */
function moduleOf(specifier, importer) {
  const named = /^@bearhug\/([^/]+)\/(.+)$/.exec(specifier);
  return named === null ? join(dirname(importer), specifier) : `packages/${named[1]}/src/${named[2]}.ts`;
}

/**
 * Returns the lines of the table in which a file counts.
 * @param {string} path
 */
function placesOf(path) {
  const [packages, name, folder, child = "", ...below] = path.split("/");
  const places = ["all", `${packages}/${name}`];
  if (folder === "src" && below.length > 0) places.push(`packages/${name}/src/${child}`);
  return places;
}

/**
 * Counts the tokens outside imports, re-exports and comments.
 * @param {ts.SourceFile} source
 */
function measure(source) {
  let tokens = 0;
  let noOpSpreads = 0;
  /** @type {string[]} */
  const imports = [];
  /** @type {string[]} */
  const lateImports = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      imports.push(/** @type {ts.StringLiteral} */ (node.moduleSpecifier).text);
      return;
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      lateImports.push(...node.arguments.filter(ts.isStringLiteral).map(({ text }) => text));
    }
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) noOpSpreads += 1;
    if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)) noOpSpreads += 1;
    const children = node.getChildren(source);
    if (children.length === 0 && node.getWidth(source) > 0) tokens += 1;
    for (const child of children) visit(child);
  };
  visit(source);
  return { tokens, noOpSpreads, imports, lateImports };
}
