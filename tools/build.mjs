// pnpm build: writes the published files into each package's `dist`: its bundle, and the types that others
// import.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { bundleOnce } from "./bundle-once.mjs";
import { importedModules, packages } from "./bundle-packages.mjs";
import { readPages, writeIndex } from "./llms.mjs";
import { root } from "./workspace.mjs";

/** The folder into which the compiler writes the types of all modules. */
const declarations = "declarations";

/**
 * The only zod type in declarations. zod is bundled, because its 840 files are more than everything else that
 * npm would unpack.
 */
const zodTypes = `/** A schema of zod's, for bearhug's own use. */
export interface ZodType<Output> {
  parse(value: unknown): Output;
}
`;

// The MCP server has few files, so it is compiled but not bundled.
const folders = [...packages, "mcp"].map((name) => join("packages", name));
// One thread: several would each compute the types that they share.
const tsc = ["node_modules/typescript-7.0/bin/tsc", "--build", "--singleThreaded", ...folders];
const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
if (status === 0) {
  for (const bundle of await bundleOnce()) writePackage(bundle);
  writeDocs();
}

/** @param {import("./bundle-once.mjs").Bundle} bundle */
function writePackage({ name, files }) {
  const folder = join(root, "packages", name);
  const dist = join(folder, "dist");
  for (const old of readdirSync(dist)) if (old !== declarations) rmSync(join(dist, old), { recursive: true });
  for (const { path, contents } of files) write(join(folder, path), contents);
  // When run from source, reports find the page in their own package.
  for (const { path, contents } of files)
    if (path.startsWith("dist/report-page/")) write(join(root, "packages/report", path), contents);
  const declared = join(dist, declarations);
  const entries = importedModules(name).map((module) => join(declared, `${module}.d.ts`));
  for (const path of reachedFrom(entries, declared))
    copyDeclaration(path, join(dist, relative(declared, path)), dist);
}

/**
 * Copies the docs and the examples into the package of the command, for users and coding agents without a
 * network.
 */
function writeDocs() {
  const folder = join(root, "packages/cli");
  for (const name of ["docs", "examples"]) rmSync(join(folder, name), { recursive: true, force: true });
  const isSource = (/** @type {string} */ path) => !/node_modules|package\.json$/.test(path);
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true, filter: isSource });
  for (const { pages } of readPages())
    for (const { path, text } of pages) write(join(folder, "docs", path), withinPackage(text));
  write(
    join(folder, "llms.txt"),
    writeIndex((path) => `docs/${path}`),
  );
}

/**
 * Removes links to files that only the repository has.
 * @param {string} text
 */
function withinPackage(text) {
  return text.replaceAll(/\[([^\]]+)\]\(\.\.\/(?!examples\/|[\w-]+\.md)[^)]*\)/g, "$1");
}

/**
 * @param {string} path
 * @param {Uint8Array | string} contents
 */
function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/**
 * Copies a declaration file, and replaces its import of zod's types.
 * @param {string} from
 * @param {string} to
 * @param {string} dist
 */
function copyDeclaration(from, to, dist) {
  const text = readFileSync(from, "utf8");
  if (!text.includes('from "zod"')) {
    write(to, text);
    return;
  }
  const path = relative(dirname(to), join(dist, "zod.d.ts")).replaceAll("\\", "/");
  const own = `$1 type * as z from "${path.startsWith(".") ? path : `./${path}`}";`;
  const rewritten = text.replace(/^(import|export) (?:type )?\* as z from "zod";$/m, own);
  const others = rewritten.match(/from "zod"|(?<![\w.])z\.(?!ZodType<)\w+/g);
  if (others !== null) throw new Error(`${from} names more of zod than z.ZodType: ${others.join(", ")}`);
  write(to, rewritten);
  writeFileSync(join(dist, "zod.d.ts"), zodTypes);
}

/**
 * Returns the files in a folder that the entries import, directly or indirectly.
 * @param {readonly string[]} entries
 * @param {string} folder
 */
function reachedFrom(entries, folder) {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] };
  const files = ts.createProgram(entries, options).getSourceFiles();
  return files.map(({ fileName }) => fileName).filter((path) => !relative(folder, path).startsWith(".."));
}
