// Joins chunks that threads load together into one file each. Node needs half a millisecond to find, read and
// link a module, and a bundler that splits by all entry points makes dozens of them.
import { posix } from "node:path";

import { build } from "esbuild";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */
/** @typedef {{ readonly path: string, readonly contents: string }} TextFile */

/**
 * The chunks, with the file that each is joined into.
 * @typedef {object} Layout
 * @property {Outputs} outputs
 * @property {ReadonlyMap<string, string>} contents
 * @property {ReadonlyMap<string, string>} joined
 */

/**
 * @param {readonly TextFile[]} files made by esbuild, with paths as in `outputs`
 * @param {Outputs} outputs
 * @param {Readonly<Record<string, readonly string[]>>} starts the sources that are loaded together
 * @param {string} folder the folder of the chunks
 * @returns {Promise<TextFile[]>}
 */
export async function mergeChunks(files, outputs, starts, folder) {
  const groups = groupChunks(outputs, starts, folder);
  const joined = new Map([...groups].flatMap(([file, paths]) => paths.map((path) => [path, file])));
  const contents = new Map(files.map(({ path, contents }) => [path, contents]));
  const layout = { outputs, contents, joined };
  const apart = files.filter(({ path }) => !joined.has(path));
  const imported = new Set(Object.values(outputs).flatMap(dynamicImportsOf));
  const doors = [...joined.keys()].filter((path) => imported.has(path));
  const sources = new Map(apart.map(({ path, contents }) => [path, contents]));
  for (const [file, paths] of groups) sources.set(file, joinExports(paths, layout));
  const bundled = await Promise.all(Array.from(sources, ([file, source]) => bundle(file, source, layout)));
  return [...bundled.flat(), ...doors.map((path) => ({ path, contents: reexport(path, path, layout) }))];
}

/**
 * Returns the source of a joined file.
 * @param {readonly string[]} paths
 * @param {Layout} layout
 */
function joinExports(paths, { outputs }) {
  const lines = paths.map((path) => {
    const names = outputs[path]?.exports.map((name) => `${name} as ${aliasOf(path, name)}`) ?? [];
    return `export { ${names.join(", ")} } from "./${posix.basename(path)}";`;
  });
  return lines.join("\n");
}

/**
 * Returns a module that re-exports a chunk that was joined into another file.
 * @param {string} path
 * @param {string} importer
 * @param {Layout} layout
 */
function reexport(path, importer, { outputs, joined }) {
  const names = outputs[path]?.exports.map((name) => `${aliasOf(path, name)} as ${name}`) ?? [];
  return `export { ${names.join(", ")} } from "${relativeTo(importer, joined.get(path) ?? "")}";\n`;
}

/**
 * Bundles one file, with the chunks that are joined into it, and its source map.
 * @param {string} file
 * @param {string} source
 * @param {Layout} layout
 */
async function bundle(file, source, layout) {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: file },
    plugins: [joinedIn(file, layout)],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    outfile: file,
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "warning",
  });
  return outputFiles.map(({ path, text }) => ({
    path: path.endsWith(".map") ? `${file}.map` : file,
    contents: text,
  }));
}

/**
 * @param {string} file
 * @param {Layout} layout
 * @returns {import("esbuild").Plugin}
 */
function joinedIn(file, layout) {
  const { contents, joined } = layout;
  return {
    name: "merge-chunks",
    setup(build) {
      build.onResolve({ filter: /^/ }, ({ path, importer, kind, namespace }) => {
        if (kind === "entry-point") return undefined;
        if (!path.startsWith(".")) return { path, external: true };
        const target = posix.join(posix.dirname(namespace === "chunk" ? importer : file), path);
        if (kind === "dynamic-import" || !joined.has(target))
          return { path: relativeTo(file, target), external: true };
        return { path: target, namespace: joined.get(target) === file ? "chunk" : "door" };
      });
      build.onLoad({ filter: /^/, namespace: "chunk" }, ({ path }) => ({
        contents: contents.get(path) ?? "",
      }));
      build.onLoad({ filter: /^/, namespace: "door" }, ({ path }) => ({
        contents: reexport(path, file, layout),
      }));
    },
  };
}

/**
 * @param {string} importer
 * @param {string} path
 */
function relativeTo(importer, path) {
  const relative = posix.relative(posix.dirname(importer), path);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/**
 * Returns a unique name for a chunk's export in a joined file.
 * @param {string} path
 * @param {string} name
 */
function aliasOf(path, name) {
  // Joined files have 25,000 of these names: without their "chunk", they are 120 kB smaller.
  return `${posix
    .basename(path, ".js")
    .replace(/^chunk(?=-)/, "")
    .replaceAll(/\W/g, "_")}_${name}`;
}

/**
 * Groups chunks by joined file: chunks that the same starts load go together.
 * @param {Outputs} outputs
 * @param {Readonly<Record<string, readonly string[]>>} starts
 * @param {string} folder
 */
function groupChunks(outputs, starts, folder) {
  const reached = Object.entries(starts).map(([name, sources]) => ({
    name,
    paths: reachedFrom(sources, outputs),
  }));
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const path of Object.keys(outputs)) {
    const names = reached.filter(({ paths }) => paths.has(path)).map(({ name }) => name);
    if (posix.dirname(path) !== folder || names.length === 0) continue;
    const file = `${folder}/of-${names.join("-")}.js`;
    groups.set(file, [...(groups.get(file) ?? []), path]);
  }
  return groups;
}

/**
 * Returns the modules that are loaded with these sources.
 * @param {readonly string[]} sources
 * @param {Outputs} outputs
 */
function reachedFrom(sources, outputs) {
  const reached = new Set(
    Object.keys(outputs).filter((path) => sources.includes(outputs[path]?.entryPoint ?? "")),
  );
  for (const path of reached) {
    const imports = outputs[path]?.imports ?? [];
    for (const { path: next, kind } of imports)
      if (kind === "import-statement" && next in outputs) reached.add(next);
  }
  return reached;
}

/** @param {Outputs[string]} output */
function dynamicImportsOf({ imports }) {
  return imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path);
}
