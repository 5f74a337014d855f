// Makes modules of a bundle evaluate on first use. Otherwise an imported module is evaluated before its
// importer, which takes milliseconds in each thread, and a dynamic import would make every caller
// asynchronous.
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

/** @typedef {{ readonly contents: string, readonly inputs: readonly string[] }} LazyModule */

/**
 * Returns an esbuild plugin for the modules, and the files that their code comes from.
 * @param {ReadonlyMap<string, readonly string[]>} modules Node's own, or npm packages, each with the names that are used of it
 * @param {string} folder that the files' paths begin at
 * @param {(module: string) => string} importerOf the folder of the package that imports a module
 */
export async function lazyModules(modules, folder, importerOf) {
  /** @type {Map<string, LazyModule>} */
  const written = new Map();
  for (const [name, names] of modules) {
    const importer = importerOf(name);
    const exported = exportsOf(await importFrom(importer, name));
    // npm packages import Node's modules as a whole.
    const all = isBuiltin(name) ? new Set(["default", ...names]) : names;
    const used = [...all].map((one) => /** @type {const} */ ([one, exported.get(one)]));
    const module = isBuiltin(name)
      ? writeBuiltin(name, used)
      : await writePackage(name, used, folder, importer);
    written.set(name, module);
  }
  /** @type {import("esbuild").Plugin} */
  const plugin = {
    name: "lazy-modules",
    setup(build) {
      build.onResolve({ filter: /^[\w@:/.-]+$/ }, ({ path }) =>
        written.has(path) ? { path, namespace: "lazy-module" } : undefined,
      );
      build.onLoad({ filter: /^/, namespace: "lazy-module" }, ({ path }) => ({
        contents: written.get(path)?.contents ?? "",
      }));
    },
  };
  return { plugin, inputs: [...written.values()].flatMap(({ inputs }) => inputs) };
}

/**
 * Gets Node's other modules from Node itself, and reads only the exports in use. An import statement would
 * read all exports of a module, including those that take milliseconds to create: the streams of `node:fs`,
 * and half of `node:process`.
 * @type {import("esbuild").Plugin}
 */
export const nodeModules = {
  name: "node-modules",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) => ({
      path,
      namespace: kind === "require-call" ? "required-node-module" : "node-module",
    }));
    // CommonJS needs the whole module; the version below would read all its exports.
    build.onLoad({ filter: /^/, namespace: "required-node-module" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}");`,
    }));
    build.onLoad({ filter: /^/, namespace: "node-module" }, async ({ path }) => {
      const names = exportsOf(await importFrom(".", path)).keys();
      const named = [...names].filter((name) => /^\w+$/.test(name) && name !== "default");
      const picked = named.map((name) => `const node_${name} = /* @__PURE__ */ pick("${name}");`);
      const exported = ["module as default", ...named.map((name) => `node_${name} as ${name}`)];
      return {
        contents: `const module = process.getBuiltinModule("${path}");
function pick(name) {
  return module[name];
}
${picked.join("\n")}
export { ${exported.join(", ")} };`,
      };
    });
  },
};

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<unknown>}
 */
function importFrom(folder, name) {
  if (isBuiltin(name)) return import(name);
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);
}

/**
 * @param {unknown} module
 * @returns {Map<string, unknown>}
 */
function exportsOf(module) {
  return new Map(Object.entries(/** @type {object} */ (module)));
}

/**
 * @param {string} name
 * @param {readonly (readonly [name: string, value: unknown])[]} used
 * @returns {LazyModule}
 */
function writeBuiltin(name, used) {
  const module = `process.getBuiltinModule("${name}")`;
  return {
    contents: writeModule(`Object.create(${module}, { default: { value: ${module} } })`, used),
    inputs: [],
  };
}

/** Packages that few runs use, so their code is compiled on demand. */
const seldomUsed = ["html-encoding-sniffer", "tldts"];

/**
 * Wraps a package in a function. In parentheses, V8 compiles the function with its module, so that its code
 * comes from the compile cache. That takes a millisecond for 200 kB in each thread, too much for packages
 * that few runs use.
 * @param {string} name
 * @param {readonly (readonly [name: string, value: unknown])[]} used
 * @param {string} folder
 * @param {string} importer
 * @returns {Promise<LazyModule>}
 */
async function writePackage(name, used, folder, importer) {
  const names = used.map(([one]) => one).join(", ");
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: `export { ${names} } from "${name}";`, resolveDir: importer },
    write: false,
    bundle: true,
    format: "iife",
    globalName: "bundled",
    platform: "node",
    mainFields: ["module", "main"],
    target: "node22.19",
    metafile: true,
    logLevel: "warning",
  });
  const [start, end] = seldomUsed.includes(name)
    ? ["function run() {", "}"]
    : ["const run = (function () {", "});"];
  return {
    contents: `${start}\n${outputFiles[0]?.text ?? ""}\nreturn bundled;\n${end}\n${writeModule("run()", used)}`,
    inputs: Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  };
}

/**
 * Writes a module whose functions, classes and objects are proxies until it is evaluated, so that they can be
 * passed around.
 * @param {string} evaluate
 * @param {readonly (readonly [name: string, value: unknown])[]} used
 */
function writeModule(evaluate, used) {
  const lazy = used.filter(([, value]) => typeof value === "function" || typeof value === "object");
  const variable = (/** @type {string} */ name) => `lazy_${name}`;
  const proxies = lazy.map(([name, value]) => {
    const target = typeof value === "function" ? "function () {}" : "{}";
    return `let ${variable(name)} = lazily(${target}, () => ${variable(name)});`;
  });
  const assignments = lazy.map(([name]) => `${variable(name)} = loaded.${name};`);
  const names = lazy.map(([name]) => `${variable(name)} as ${name}`);
  return `let isLoaded = false;
function load() {
  if (isLoaded) return;
  isLoaded = true;
  const loaded = ${evaluate};
  ${assignments.join("\n  ")}
}
function lazily(target, real) {
  const loaded = () => (load(), real());
  return new Proxy(target, {
    apply: (_, self, given) => Reflect.apply(loaded(), self, given),
    construct: (_, given, made) => Reflect.construct(loaded(), given, made),
    get: (_, key) => Reflect.get(loaded(), key),
  });
}
${proxies.join("\n")}
export { ${names.join(", ")} };`;
}
