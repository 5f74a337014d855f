// Bundles each package into a few files instead of hundreds, which halves the time that a start takes.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { build } from "esbuild";

import { lazyModules, nodeModules } from "./lazy-modules.mjs";
import { mergeChunks } from "./merge-chunks.mjs";
import { mapLines } from "./source-maps.mjs";
import { readJson, root } from "./workspace.mjs";

/** The packages that are not published: the command's bundle contains them. */
export const bundledPackages = ["text", "metrics", "plan", "http", "engine", "report"];

/**
 * The entry points of each published package, by folder: modules for others to import, with their types, and
 * programs or threads to start, with their source.
 */
const entries = {
  sdk: { imported: ["index", "result", "internal"], started: {} },
  "har-import": { imported: ["index"], started: {} },
  cli: {
    imported: ["index", "vitest"],
    started: {
      main: "src/main.ts",
      "worker/entry": "../engine/src/worker/entry.ts",
      "reporter-thread/entry": "src/reporter-thread/entry.ts",
      "ndjson/entry": "../report/src/ndjson/entry.ts",
      "monitors/entry": "../engine/src/monitors/entry.ts",
      "test-set/compiler/entry": "src/test-set/compiler/entry.ts",
      "http/http-clients": "../http/src/http-clients.ts",
    },
  },
};

/**
 * Modules to evaluate on first use: few threads validate, parse HTML, use TLS or sign for AWS. The other
 * packages get zod and tldts from the SDK.
 */
const evaluatedLate = {
  sdk: ["zod", "htmlparser2", "tldts"],
  "har-import": [],
  cli: [
    "node:child_process",
    "node:crypto",
    "node:dns",
    "node:tls",
    "node:zlib",
    "acorn",
    "aws4",
    "html-encoding-sniffer",
  ],
};

/**
 * Modules that are loaded together: by every command, to run a test, by its threads, and by a program that
 * imports the package.
 */
const starts = {
  command: [
    "src/main.ts",
    "src/commands/command-line/variables.ts",
    "src/commands/command-line/validate-command-line.ts",
    "src/commands/leave.ts",
  ],
  run: ["src/commands/run/run.ts", "src/commands/bench/bench.ts", "src/commands/run/run-and-report.ts"],
  worker: [
    "../engine/src/worker/entry.ts",
    "../engine/src/worker/run-definition-worker.ts",
    "../engine/src/worker/run-load-worker.ts",
    "../http/src/http-clients.ts",
  ],
  library: ["src/index.ts"],
};

/** Defines `require`, which CommonJS packages call for Node's modules. Only the command has such packages. */
const requireForCommonJs =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * Replacements: jsonc-parser's main file hides its calls of `require` from bundlers, unlike its ES module;
 * tough-cookie gets tldts from the SDK.
 */
const replaced = { "jsonc-parser": "jsonc-parser/lib/esm/main.js", tldts: "@bearhug/sdk/internal" };

/** @typedef {keyof typeof entries} PackageFolder */
/** @typedef {{ readonly path: string, readonly contents: Uint8Array | string }} BundledFile its path relative to the package */
/** @typedef {{ name: string, version: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, object> }} Manifest */

/** The folders of the packages. */
export const packages = /** @type {PackageFolder[]} */ (Object.keys(entries));

/**
 * Returns the modules for others to import, which need types.
 * @param {PackageFolder} name
 */
export function importedModules(name) {
  return entries[name].imported;
}

/**
 * Bundles a package from its sources, except the dependencies that npm installs beside it.
 * @param {PackageFolder} name
 * @returns {Promise<BundledFile[]>}
 */
export async function bundlePackage(name) {
  const folder = join(root, "packages", name);
  const { imported, started } = entries[name];
  const late = await lazyModules(lateNames(name), folder, (module) => importerOf(name, module));
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [
      ...imported.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
      ...Object.entries(started).map(([out, source]) => ({ in: source, out })),
    ],
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: name === "cli" ? "node" : "neutral",
    target: "node22.19",
    conditions: ["bearhug-source"],
    external: [...installedBeside(folder), "#esbuild"],
    ...(name !== "sdk" && { alias: replaced }),
    plugins: [late.plugin, ...(name === "cli" ? [nodeModules] : [])],
    logOverride: { "import-is-undefined": "error" },
    metafile: true,
    // mergeChunks bundles the code a second time, and reads the inline maps.
    sourcemap: name === "cli" ? "inline" : "linked",
    sourcesContent: false,
    ...(name === "cli" && { banner: { js: requireForCommonJs } }),
    logLevel: "warning",
  });
  const page = name === "cli" ? await bundleReportPage() : { files: [], inputs: [] };
  const bundler = name === "cli" ? copyEsbuild(folder) : { files: [], inputs: [] };
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const code = outputFiles.map(({ path, text }) => ({
    path: relative(folder, path).replaceAll("\\", "/"),
    contents: path.endsWith(".map") ? text : inAscii(withoutIdleRequire(text)),
  }));
  const merged = name === "cli" ? await mergeChunks(code, metafile.outputs, starts, "dist/chunks") : code;
  const { version } = readManifest(folder);
  return [
    ...merged.map(({ path, contents }) =>
      path.endsWith(".map")
        ? { path, contents: mapLines(contents, path, `packages/${name}`, version) }
        : { path, contents },
    ),
    ...page.files,
    ...bundler.files,
    {
      path: "dist/THIRD-PARTY-NOTICES.txt",
      contents: licencesOf(folder, [...used, ...page.inputs, ...bundler.inputs, ...late.inputs]),
    },
  ];
}

/**
 * Escapes the non-ASCII characters that esbuild leaves in comments and tagged templates: a single one doubles
 * V8's memory for the source. The escapes have the same meaning there.
 * @param {string} code
 */
function inAscii(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Removes the `require` at the beginning of a chunk if nothing calls it.
 * @param {string} code
 */
function withoutIdleRequire(code) {
  const rest = code.replace(requireForCommonJs, "");
  return /\b(?:__)?require\b/.test(rest) ? code : rest;
}

/**
 * Returns the modules that a package evaluates late, with the names that sources use from each.
 * @param {PackageFolder} name
 */
function lateNames(name) {
  // All packages use the modules that the SDK re-exports.
  const users = name === "sdk" ? [...packages, ...bundledPackages] : partsOf(name);
  const text = users.flatMap((user) => textsIn(join(root, "packages", user, "src"))).join("\n");
  return new Map(evaluatedLate[name].map((module) => [module, namesOf(module, text)]));
}

/**
 * Returns the packages whose sources a bundle contains.
 * @param {PackageFolder} name
 */
function partsOf(name) {
  return name === "cli" ? [name, ...bundledPackages] : [name];
}

/**
 * Returns the folder of the package that depends on a module; any for Node's own.
 * @param {PackageFolder} name
 * @param {string} module
 */
function importerOf(name, module) {
  const folders = partsOf(name).map((part) => join(root, "packages", part));
  const has = (/** @type {string} */ folder) => {
    const { dependencies, devDependencies } = readManifest(folder);
    return module in { ...dependencies, ...devDependencies };
  };
  return folders.find(has) ?? join(root, "packages", name);
}

/** @param {string} folder */
function textsIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts"));
  return sources.map((file) => readFileSync(join(folder, file), "utf8"));
}

/**
 * Returns the names that sources import from a module. zod is used as a namespace, without its types, which
 * begin with a capital or are `core` or `infer`.
 * @param {string} module
 * @param {string} text
 */
function namesOf(module, text) {
  if (module === "zod") return unique(text.matchAll(/(?<![\w.])z\.((?!(?:core|infer)\b)[a-z]\w*|NEVER)\b/g));
  const lists = text.matchAll(
    new RegExp(`^import (?!type )(\\w+)?(?:, )?(?:{([^}]*)})? from "${module}"`, "gm"),
  );
  const names = Array.from(lists, ([, whole, list = ""]) => {
    const parts = list.split(",").map((part) => part.trim().replace(/ as .*/, ""));
    return [whole === undefined ? "" : "default", ...parts.filter((part) => /^(?!type )\w/.test(part))];
  });
  return [...new Set(names.flat().filter((one) => one !== ""))];
}

/** @param {Iterable<RegExpExecArray>} matches */
function unique(matches) {
  return [...new Set(Array.from(matches, ([, name = ""]) => name))];
}

/**
 * Bundles the script and the style sheet of the HTML report.
 * @returns {Promise<{ files: BundledFile[], inputs: string[] }>}
 */
export async function bundleReportPage() {
  const folder = join(root, "packages/report");
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ["src/report-page/report-page.ts", "src/report-page/report-page.css"],
    outdir: "dist/report-page",
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["chrome111", "firefox121", "safari16.4"],
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return {
    files: outputFiles.map(({ path, contents }) => ({ path: relative(folder, path), contents })),
    inputs: Object.keys(metafile.inputs),
  };
}

/**
 * Copies esbuild's API, which cannot be bundled and depends on its path. It finds the binary for the system
 * in the command's optional dependencies, so those must be the ones that esbuild itself lists.
 * @param {string} folder of the command's package
 * @returns {{ files: BundledFile[], inputs: string[] }}
 */
function copyEsbuild(folder) {
  const named = JSON.stringify(readManifest(join(folder, "node_modules/esbuild")).optionalDependencies);
  if (JSON.stringify(readManifest(folder).optionalDependencies) !== named)
    throw new Error(`${folder}/package.json must have the optionalDependencies of esbuild: ${named}`);
  const api = "node_modules/esbuild/lib/main.js";
  return {
    files: [
      { path: "dist/esbuild/lib/main.js", contents: readFileSync(join(folder, api), "utf8") },
      { path: "dist/esbuild/package.json", contents: '{ "type": "commonjs" }\n' },
    ],
    inputs: [`./${api}`],
  };
}

/** @param {string} folder */
function installedBeside(folder) {
  const { name, dependencies, peerDependenciesMeta } = readManifest(folder);
  return [name, ...Object.keys({ ...dependencies, ...peerDependenciesMeta })];
}

/**
 * Returns the licences of the packages that contain the files.
 * @param {string} from the folder that the files' paths begin at
 * @param {readonly string[]} files as esbuild names them: with slashes on every system
 */
export function licencesOf(from, files) {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...folders].map((folder) => licenceOf(join(from, folder))).toSorted();
  return `This package contains code of the packages below, under their licences.\n\n${texts.join("\n")}`;
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version } = readManifest(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|third-party)/i.test(file));
  if (files.length === 0) throw new Error(`${name} has no file with its licence, so it cannot be bundled.`);
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${"-".repeat(80)}\n${name} ${version}\n\n${texts.join("\n\n")}\n`;
}

/** @param {string} folder */
function readManifest(folder) {
  return /** @type {Manifest} */ (readJson(join(folder, "package.json")));
}
