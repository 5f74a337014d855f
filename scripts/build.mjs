// pnpm build: leaves in each package's `dist` what is published: its bundle, and the types that others import.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { bundlePackage, importedModules, packages } from "./bundle-packages.mjs";
import { root } from "./workspace.mjs";

/** Where the compiler writes the types of all modules. */
const declarations = "declarations";

const folders = packages.map((name) => join("packages", name));
const tsc = ["node_modules/typescript/bin/tsc", "--build", ...folders];
const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
if (status === 0) await Promise.all(packages.map(writePackage));

/** @param {(typeof packages)[number]} name */
async function writePackage(name) {
  const folder = join(root, "packages", name);
  const files = await bundlePackage(name);
  const dist = join(folder, "dist");
  for (const old of readdirSync(dist)) if (old !== declarations) rmSync(join(dist, old), { recursive: true });
  for (const { path, contents } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  const declared = join(dist, declarations);
  const entries = importedModules(name).map((module) => join(declared, `${module}.d.ts`));
  for (const path of reachedFrom(entries, declared)) cpSync(path, join(dist, relative(declared, path)));
}

/**
 * The files in a folder that modules are made of.
 * @param {readonly string[]} entries
 * @param {string} folder
 */
function reachedFrom(entries, folder) {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] };
  const files = ts.createProgram(entries, options).getSourceFiles();
  return files.map(({ fileName }) => fileName).filter((path) => !relative(folder, path).startsWith(".."));
}
