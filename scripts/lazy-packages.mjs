// npm packages in a bundle that are evaluated when one of their functions is first called. What a module imports is evaluated
// before it, which takes milliseconds in each thread; a dynamic import would make every caller asynchronous.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { build } from "esbuild";

/** @typedef {Readonly<Record<string, readonly string[]>>} UsedNames the names that are used of each package */

/**
 * A plugin for esbuild.
 * @param {UsedNames} used
 * @param {string} folder that imports the packages
 * @returns {Promise<{ plugin: import("esbuild").Plugin, inputs: string[] }>} `inputs`: the files that the packages' code comes from
 */
export async function lazyPackages(used, folder) {
  const written = await Promise.all(
    Object.entries(used).map(async ([name, names]) => ({
      name,
      ...(await writeLazily(name, names, folder)),
    })),
  );
  const code = new Map(written.map(({ name, contents }) => [name, contents]));
  return {
    inputs: written.flatMap(({ inputs }) => inputs),
    plugin: {
      name: "lazy-packages",
      setup(build) {
        const filter = new RegExp(`^(?:${[...code.keys()].join("|")})$`);
        build.onResolve({ filter }, ({ path }) => ({ path, namespace: "lazy-packages" }));
        build.onLoad({ filter: /^/, namespace: "lazy-packages" }, ({ path }) => ({
          contents: code.get(path) ?? "",
        }));
      },
    },
  };
}

/**
 * @param {string} name
 * @param {readonly string[]} names
 * @param {string} folder
 */
async function writeLazily(name, names, folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    stdin: { contents: `export { ${names.join(", ")} } from "${name}";`, resolveDir: folder },
    write: false,
    bundle: true,
    format: "iife",
    globalName: "bundled",
    target: "node22.19",
    metafile: true,
    logLevel: "warning",
  });
  const path = createRequire(join(folder, "package.json")).resolve(name);
  /** @type {unknown} */
  const module = await import(pathToFileURL(path).href);
  const exported = new Map(Object.entries(/** @type {object} */ (module)));
  // In parentheses, V8 compiles the function with the module, and both come from the compile cache.
  const evaluate = `const run = (function () {
${outputFiles[0]?.text ?? ""}
  return bundled;
});
let evaluated;
function evaluate() {
  return (evaluated ??= run());
}`;
  return {
    contents: [evaluate, ...names.map((one) => writeExport(one, exported.get(one)))].join("\n"),
    inputs: Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  };
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function writeExport(name, value) {
  const written = typeof value === "function" ? writeCall(`evaluate().${name}`) : writeMembers(name, value);
  return `const lazy_${name} = ${written};\nexport { lazy_${name} as ${name} };`;
}

/**
 * A namespace, such as zod's `coerce`, or a constant.
 * @param {string} name
 * @param {unknown} value
 */
function writeMembers(name, value) {
  const members = Object.entries(/** @type {object} */ (value)).map(([key, member]) => {
    const made =
      typeof member === "function" ? writeCall(`evaluate().${name}.${key}`) : JSON.stringify(member);
    return `${key}: ${made}`;
  });
  return `/* @__PURE__ */ Object.freeze({ ${members.join(", ")} })`;
}

/** @param {string} target a function or a class */
function writeCall(target) {
  return `function (...given) { return new.target ? new (${target})(...given) : ${target}(...given); }`;
}
