import { dirname, relative, resolve, sep } from "node:path";

import type { Message, Plugin } from "esbuild";

import { loadedByNode } from "./bundle-places.ts";
import { isK6Module } from "./k6-script.ts";
import { packageAt } from "./source-lines.ts";

/**
 * Modules that packages import and that cannot be bundled. Each stays outside the bundle, and fails only if
 * the test's code reaches it.
 */
export interface Outside {
  /** Modules that cannot be found, by `keyOf`. */
  readonly missing: ReadonlyMap<string, { readonly importer: string; readonly name: string }>;
  /** The paths of files that Node has to load. */
  readonly files: ReadonlySet<string>;
}

export const nothingOutside: Outside = { missing: new Map(), files: new Set() };

const unresolved = /^Could not resolve "([^"]+)"$/;
const unloadable = /^No loader is configured for "[^"]*" files: (.+)$/s;

/** Returns the name that a build could not resolve. */
export function unresolvedName({ text }: Message): string | undefined {
  return unresolved.exec(text)?.[1];
}

/** Returns the file that a build could not load, because its ending is not that of code. */
export function unloadableFile({ text }: Message): string | undefined {
  return unloadable.exec(text)?.[1];
}

/** Adds the modules that code of packages could not import. Returns the same object if none is new. */
export function leaveOutside(outside: Outside, errors: readonly Message[], folder: string): Outside {
  const missing = new Map(outside.missing);
  const files = new Set(outside.files);
  for (const error of errors) {
    if (error.location === null) continue;
    const importer = resolve(folder, error.location.file);
    if (packageAt(importer) === null) continue;
    const name = unresolvedName(error);
    const file = unloadableFile(error);
    if (name === undefined) files.add(resolve(folder, file ?? importer));
    else if (!isK6Module(name)) missing.set(keyOf(importer, name), { importer, name });
  }
  const isNew = missing.size > outside.missing.size || files.size > outside.files.size;
  return isNew ? { missing, files } : outside;
}

function keyOf(importer: string, name: string): string {
  return `${importer}\0${name}`;
}

/**
 * Leaves modules outside the bundle to Node, which resolves them from the importing file and throws the same
 * errors as without a bundle.
 */
export function outsidePlugin({ missing, files }: Outside, folder: string): Plugin {
  return {
    name: "outside",
    setup(bundle) {
      const names = new Set(Array.from(missing.values(), ({ name }) => name));
      if (names.size > 0)
        bundle.onResolve({ filter: anyOf(names) }, ({ importer, path: name, kind }) => {
          if (!missing.has(keyOf(importer, name))) return null;
          const isRequired = kind === "require-call" || kind === "require-resolve";
          const contents = isRequired ? requiredFrom(importer, name) : notFoundBy(importer, name);
          const from = relative(folder, importer).split(sep).join("/");
          return {
            // In the source map, it is a file of the importing package.
            path: encodeURI(`${name} ${isRequired ? "required" : "imported"} by ./${from}`),
            namespace: "outside",
            pluginData: contents,
          };
        });
      bundle.onLoad({ filter: /^/, namespace: "outside" }, ({ pluginData }) => ({
        contents: String(pluginData),
      }));
      if (files.size > 0)
        bundle.onLoad({ filter: anyOf(files), namespace: "file" }, ({ path }) =>
          files.has(path) ? { contents: loadedByNode(path) } : null,
        );
    },
  };
}

function anyOf(texts: Iterable<string>): RegExp {
  const escaped = Array.from(texts, (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(`^(?:${escaped.join("|")})$`);
}

function requiredFrom(importer: string, name: string): string {
  return `module.exports = bearhugCreateRequire(${JSON.stringify(importer)})(${JSON.stringify(name)});`;
}

/** Returns code that throws Node's own error. */
function notFoundBy(importer: string, name: string): string {
  const what = /^\.{0,2}\//.test(name) ? `module '${resolve(dirname(importer), name)}'` : `package '${name}'`;
  const message = `${JSON.stringify(`Cannot find ${what} imported from `)} + ${JSON.stringify(importer)}`;
  return `module.exports = null; throw Object.assign(new Error(${message}), { code: "ERR_MODULE_NOT_FOUND" });`;
}
