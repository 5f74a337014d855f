// Each package as a few files in place of hundreds: what is loaded from few files starts in half the time.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { build } from "esbuild";

import { lazyModules, nodeModules } from "./lazy-modules.mjs";
import { mergeChunks } from "./merge-chunks.mjs";
import { mapLines } from "./source-maps.mjs";
import { readJson, root } from "./workspace.mjs";

/** The packages that nobody installs: the command's bundle has them. */
export const rooms = ["text", "metrics", "plan", "http", "engine", "report"];

/**
 * What others import, with its types, and what starts a program or a thread, with its source: the keys are the folders of the
 * packages that are published.
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

/** Evaluated on first use: few threads validate, read HTML, speak TLS or sign for AWS. The other packages have zod and tldts from the SDK. */
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

/** The modules that are loaded together: by every command, to run a test, by its threads, and by a program that imports the package. */
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

/** CommonJS packages call `require` for Node's own modules. Only the command has such packages. */
const requireForCommonJs =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** A package whose main file hides its calls of `require` from a bundler, with the module that it also has; and one that tough-cookie takes from the SDK. */
const replaced = { "jsonc-parser": "jsonc-parser/lib/esm/main.js", tldts: "@bearhug/sdk/internal" };

/** @typedef {keyof typeof entries} PackageFolder */
/** @typedef {{ readonly path: string, readonly contents: Uint8Array | string }} BundledFile its path relative to the package */
/** @typedef {{ name: string, version: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, object> }} Manifest */

/** The folders of the packages. */
export const packages = /** @type {PackageFolder[]} */ (Object.keys(entries));

/**
 * The modules that others import, whose types they need.
 * @param {PackageFolder} name
 */
export function importedModules(name) {
  return entries[name].imported;
}

/**
 * Bundles a package from its sources: all but what npm installs beside it.
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
    // The second pass continues the maps that it finds in the code.
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
 * esbuild leaves characters outside of ASCII in comments and tagged templates, and one of them doubles the memory that V8 takes
 * for the source. The escapes mean the same there.
 * @param {string} code
 */
function inAscii(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Without the `require` that every chunk begins with, where nothing calls it.
 * @param {string} code
 */
function withoutIdleRequire(code) {
  const rest = code.replace(requireForCommonJs, "");
  return /\b(?:__)?require\b/.test(rest) ? code : rest;
}

/**
 * The modules that a package evaluates late, with the names that sources use of each.
 * @param {PackageFolder} name
 */
function lateNames(name) {
  // All packages take what the SDK passes on.
  const users = name === "sdk" ? [...packages, ...rooms] : partsOf(name);
  const text = users.flatMap((user) => textsIn(join(root, "packages", user, "src"))).join("\n");
  return new Map(evaluatedLate[name].map((module) => [module, namesOf(module, text)]));
}

/**
 * The packages whose sources a bundle is made of.
 * @param {PackageFolder} name
 */
function partsOf(name) {
  return name === "cli" ? [name, ...rooms] : [name];
}

/**
 * The folder of the package that has a module among its dependencies; any for those of Node.
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
 * The names that sources import of a module. Of zod, they use a namespace: but not its types, which begin with a capital or are `core` or `infer`.
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
 * The program and the style of the page that an HTML report is.
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
 * esbuild's API as it is: it refuses to be part of a bundle, and insists on its path. It takes the program for its system from the
 * packages that are optional dependencies of the command, so those must be the ones that esbuild itself names.
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
 * The licences of the packages that the files belong to.
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
