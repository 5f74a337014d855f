import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { OnLoadResult, Plugin, PluginBuild } from "esbuild";

import { loadersText } from "./bundle-loaders.ts";
import type { DynamicLoads } from "./dynamic-loads.ts";
import { packageAt } from "./source-lines.ts";

/**
 * Matches code that reads its module's own location. A match in a string or a name costs a little time
 * and changes nothing.
 */
const mayAskForItsPlace = /\bmeta\b|\b__(?:dirname|filename)\b|\brequire\.resolve\b/;

/** Matches loads of a name that may be known only at run time. A match elsewhere costs a little time, too. */
const mayLoadLate = /\b(?:import|require)\s*\(\s*(?!\s|["'][^"'\n]*["']\s*[,)])|=\s*require\s*[;,\n]/;

/**
 * Matches the use of packages that find a file by the path of their caller: in a bundle, that
 * path is the bundle's.
 */
const findsByCaller =
  /\brequire\s*\(\s*["'](?:bindings|caller|caller-callsite|callsites?|parent-module)["']\s*\)/;

/** The address from which modules import the functions that load from their location. */
const loaders = "bearhug:loaders";

/**
 * The path of these functions in the source map: inside a package, so that they do not count
 * as the author's code.
 */
const loadersPath = "/node_modules/bearhug/loaders.js";

/** The modules of a bundle that keep their original location. */
export interface PlacedModules {
  readonly plugin: Plugin;
  /** The paths of modules whose code refers to their location. */
  readonly paths: ReadonlySet<string>;
  /** The paths of the author's own files that are in the bundle because they may be chosen at run time. */
  readonly choices: ReadonlySet<string>;
  /** True if one of the author's own files imports a name that is known only at run time. */
  importsLate(): boolean;
}

/**
 * Lets each module keep its original location: `import.meta.url`, `.dirname` and `.filename`, `__dirname` and
 * `__filename` are those of the source file; `require.resolve`, `import.meta.resolve`, and `import(…)` and
 * `require(…)` of a name that is computed at run time, start there. Otherwise they would use the bundle's
 * location, and files beside the test would not be found.
 *
 * The author's own files that such a name may refer to are bundled if `mayBundle` allows it, and loaded
 * when they are chosen.
 */
export function placeModules(mayBundle: (path: string) => boolean): PlacedModules {
  const paths = new Set<string>();
  const choices = new Set<string>();
  let importsLate = false;
  const plugin: Plugin = {
    name: "places",
    setup(bundle) {
      bundle.onResolve({ filter: /^bearhug:loaders$/ }, () => ({ path: loadersPath, namespace: "bearhug" }));
      bundle.onLoad({ filter: /^/, namespace: "bearhug" }, () => ({ contents: loadersText() }));
      // Only Node can load native code, and only from its original file.
      bundle.onLoad({ filter: /\.node$/, namespace: "file" }, ({ path }) => ({
        contents: loadedByNode(path),
      }));
      bundle.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
        const text = await readFile(path, "utf8").catch(() => "");
        if (findsByCaller.test(text) && packageAt(path) !== null) return { contents: loadedByNode(path) };
        if (!mayLoadLate.test(text) && !mayAskForItsPlace.test(text)) return null;
        paths.add(path);
        const code = await codeWithPlace(path, bundle.esbuild);
        if (code === null) return null;
        const late = await findDynamicLoads(code, path, mayBundle);
        if (late !== null && late.importName !== null && packageAt(path) === null) importsLate = true;
        for (const file of [...(late?.imported ?? []), ...(late?.required ?? [])])
          choices.add(resolve(dirname(path), file));
        const contents = late === null ? code : `${late.code}\n${loadersOf(path, late)}`;
        // The loader must be that of TypeScript: the code may still re-export a type by its name alone.
        return { contents, loader: /tsx?$/.test(path) ? "ts" : "js" } satisfies OnLoadResult;
      });
    },
  };
  return { plugin, paths, choices, importsLate: () => importsLate };
}

/** Returns a module that has Node load a file when the module is first required. */
export function loadedByNode(path: string): string {
  return `module.exports = bearhugCreateRequire(${JSON.stringify(path)})(${JSON.stringify(path)});`;
}

/**
 * Replaces expressions for the location with esbuild's own parser, so that strings and comments stay as they
 * are. The inline source map connects the bundle's map to the author's source.
 */
async function codeWithPlace(path: string, { build }: PluginBuild["esbuild"]): Promise<string | null> {
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle: false,
      write: false,
      outdir: dirname(path),
      platform: "node",
      target: "node22",
      sourcemap: "inline",
      logLevel: "silent",
      define: placeOf(path),
    });
    return outputFiles[0]?.text ?? null;
  } catch {
    // The build of the bundle reports what esbuild cannot read, and where.
    return null;
  }
}

function placeOf(path: string): Record<string, string> {
  const meta = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  return {
    // The object as a whole, too: `const { dirname } = import.meta`.
    "import.meta": JSON.stringify(meta),
    "import.meta.url": JSON.stringify(meta.url),
    "import.meta.dirname": JSON.stringify(meta.dirname),
    "import.meta.filename": JSON.stringify(meta.filename),
    "import.meta.resolve": "bearhugResolveImport",
    "require.resolve": "bearhugResolve",
    __dirname: JSON.stringify(meta.dirname),
    __filename: JSON.stringify(meta.filename),
  };
}

/**
 * Matches loads of a computed name, and look-ups of a module's address. Only these few
 * modules need the parser.
 */
const needsLoaders = new RegExp(`${mayLoadLate.source}|\\bbearhugResolve(?:Import)?\\b`);

async function findDynamicLoads(
  code: string,
  path: string,
  mayBundle: (path: string) => boolean,
): Promise<DynamicLoads | null> {
  if (!needsLoaders.test(code)) return null;
  const { findDynamicLoads: find } = await import("./dynamic-loads.ts");
  return find(code, { path, isOwn: packageAt(path) === null, mayBundle });
}

/**
 * Returns the functions that load from a module's location. They are appended to its code, so that no
 * position in it moves.
 */
function loadersOf(path: string, late: DynamicLoads): string {
  const { code, importName, requireName, isModule } = late;
  // An ES module may have a `require` of its own.
  const from = isModule ? "bearhugLoaders" : `require(${JSON.stringify(loaders)}).default`;
  const place = JSON.stringify(path);
  // Only CommonJS has `module`.
  const shared = isModule ? "" : ', typeof module === "object" ? module : undefined';
  const functions = [
    /\bbearhugResolveImport\b/.test(code) &&
      `function bearhugResolveImport(name) { return ${from}.resolveImport(${place}, name); }`,
    /\bbearhugResolve\b/.test(code) &&
      `function bearhugResolve(name, options) { return ${from}.resolve(${place}, name, options); }`,
    importName !== null &&
      `function ${importName}(name, options) { return ${from}.importFrom(${place}, name, options, ${tableOf(late.imported, "import")}); }`,
    requireName !== null &&
      `function ${requireName}(name) { return ${from}.requireFrom(${place}, name, ${tableOf(late.required, "require")}${shared}); }`,
    late.isRequirePassedOn && `${from}.complete(${place}, ${requireName});`,
  ].filter((text) => text !== false);
  const imported = isModule ? [`import bearhugLoaders from ${JSON.stringify(loaders)};`] : [];
  return functions.length === 0 ? "" : [...imported, ...functions].join("\n");
}

/** Returns the files that a call may load, each with the function that loads it from the bundle. */
function tableOf(files: readonly string[], kind: "import" | "require"): string {
  const entries = files.map((file) => `${JSON.stringify(file)}: () => ${kind}(${JSON.stringify(file)})`);
  return `{ ${entries.join(", ")} }`;
}
