/** The files that a call may load, each with the function that loads it from the bundle. */
type Table = Readonly<Record<string, () => unknown>>;

/** Functions that load modules as if a source file of the bundle called them, wherever the bundle is. */
interface Loaders {
  importFrom(file: string, name: unknown, options: unknown, table: Table): Promise<unknown>;
  requireFrom(file: string, name: string, table: Table, module?: { readonly exports: unknown }): unknown;
  resolve(file: string, name: string, options?: { paths?: string[] }): string;
  resolveImport(file: string, name: string): string;
  /** Adds the properties of `require` to the function that replaces it. */
  complete(file: string, require: object): void;
}

/** Resolves names to files. */
interface Finder {
  /** Returns the path that an import names; null for a package, and for anything that is not a file. */
  pathOf(file: string, name: string): string | null;
  /** Returns the function that loads a path from the bundle. */
  inTable(file: string, path: string, table: Table): (() => unknown) | undefined;
  /** Returns the author's own TypeScript file that a path refers to. */
  sourceAt(path: string): string | undefined;
}

/**
 * Returns the code of the module that loads on behalf of other modules. Its default export is a `Loaders`.
 */
export function loadersText(): string {
  const finder = `(${createFinder.toString()})()`;
  return `export default (${createLoaders.toString()})(${finder}, (name) => import.meta.resolve(name));`;
}

/** Bundles a file that was chosen at run time, and resolves to the path of the bundle. */
export type BundleLate = (file: string) => Promise<string>;

/** Lets bundles of this thread load TypeScript that is chosen at run time. */
export function offerLateBundles(bundleLate: BundleLate): void {
  Reflect.set(globalThis, Symbol.for("bearhug.bundle-late"), bundleLate);
}

/** Its source text becomes part of bundles, so it must not refer to anything outside itself. */
function createFinder(): Finder {
  const { existsSync } = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");
  const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];

  /**
   * Returns the files that a name may refer to, as where TypeScript is bundled: the extension may be left
   * out, or be that of the compiled JavaScript.
   */
  const meantBy = (name: string): string[] => [
    name,
    name.replace(/\.([cm]?)js$/, ".$1ts"),
    ...endings.map((ending) => name + ending),
  ];

  return {
    pathOf(file, name) {
      if (!/^(?:\.{0,2}\/|file:)/.test(name)) return null;
      const url = URL.parse(name, pathToFileURL(file).href);
      // With a query, it is a separate module.
      if (url?.protocol !== "file:" || url.search !== "") return null;
      try {
        return fileURLToPath(url);
      } catch {
        return null;
      }
    },
    inTable(file, wanted, table) {
      const folder = path.dirname(file);
      const loads = new Map(Object.entries(table).map(([name, load]) => [path.resolve(folder, name), load]));
      const found = meantBy(wanted).find((one) => loads.has(one));
      return found === undefined ? undefined : loads.get(found);
    },
    sourceAt(wanted) {
      const found = meantBy(wanted).find((one) => existsSync(one));
      const isOfPackage = found === undefined || /[\\/]node_modules[\\/]/.test(found);
      return !isOfPackage && /\.[cm]?tsx?$/.test(found) ? found : undefined;
    },
  };
}

/** Its source text becomes part of bundles, so it must not refer to anything outside itself. */
function createLoaders(finder: Finder, resolveFromBundle: (name: string) => string): Loaders {
  const { Module, createRequire, isBuiltin } = process.getBuiltinModule("node:module");
  const path = process.getBuiltinModule("node:path");
  const { pathToFileURL } = process.getBuiltinModule("node:url");

  type Import = (name: string, options: unknown) => Promise<unknown>;
  const isImport = (value: unknown): value is Import => typeof value === "function";
  const imports = new Map<string, Import>();

  /** Returns Node's own `import`, as if called from that file. */
  const importOf = (file: string): Import => {
    const known = imports.get(file);
    if (known !== undefined) return known;
    const module = new Module(file);
    const compile: unknown = Reflect.get(module, "_compile");
    const code = "module.exports = (name, options) => import(name, options);";
    if (typeof compile === "function") Reflect.apply(compile, module, [code, file]);
    const made: unknown = module.exports;
    if (!isImport(made)) throw new TypeError(`No module can be imported from ${file}`);
    imports.set(file, made);
    return made;
  };

  return {
    async importFrom(file, name, options, table) {
      const text = String(name);
      const wanted = finder.pathOf(file, text);
      if (wanted === null) return importOf(file)(text, options);
      const load = finder.inTable(file, wanted, table);
      if (load !== undefined) return load();
      const source = finder.sourceAt(wanted);
      const bundleLate: unknown = Reflect.get(globalThis, Symbol.for("bearhug.bundle-late"));
      if (source === undefined || typeof bundleLate !== "function") return importOf(file)(text, options);
      const bundle: unknown = await Reflect.apply(bundleLate, null, [source]);
      return importOf(file)(pathToFileURL(String(bundle)).href, undefined);
    },
    requireFrom(file, name, table, module) {
      const wanted = /^\.{0,2}\//.test(name) ? path.resolve(path.dirname(file), name) : null;
      const load = wanted === null ? undefined : finder.inTable(file, wanted, table);
      if (load !== undefined) return load();
      const require = createRequire(file);
      if (module !== undefined && require.cache[file] === undefined) {
        // Files that Node loads share the module instance of the bundle: a locale, for
        // example, is added to it.
        const shared = Object.assign(new Module(file), { filename: file, loaded: true });
        Object.defineProperty(shared, "exports", { get: () => module.exports });
        require.cache[file] = shared;
      }
      const loaded: unknown = require(name);
      return loaded;
    },
    resolve: (file, name, options) => createRequire(file).resolve(name, options),
    resolveImport(file, name) {
      if (/^\.{0,2}\//.test(name)) return new URL(name, pathToFileURL(file)).href;
      try {
        return resolveFromBundle(name);
      } catch (error) {
        // The bundle may resolve less than the file can: not its `#imports`, nor the dependencies of
        // the file's own package.
        if (isBuiltin(name)) throw error;
        return pathToFileURL(createRequire(file).resolve(name)).href;
      }
    },
    complete(file, require) {
      const { resolve, cache, main } = createRequire(file);
      Object.assign(require, { resolve, cache, main });
    },
  };
}
