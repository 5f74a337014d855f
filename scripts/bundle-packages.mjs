// Each package as a few files in place of hundreds: what is loaded from few files starts in half the time.
import { join, relative } from "node:path";

import { build } from "esbuild";

import { root } from "./workspace.mjs";

/** What starts a program or a thread, and what others import: the keys are the packages' folders. */
const entries = {
  sdk: ["index", "internal"],
  "har-import": ["index"],
  cli: ["main", "index", "vitest", "worker/entry", "reporter-thread/entry", "http/http-clients"],
};

/** The folders of the packages. */
export const packages = /** @type {(keyof typeof entries)[]} */ (Object.keys(entries));

/** Programs of their own, and what a test's code shares with the command. */
const external = ["@bearhug/*", "bearhug", "esbuild", "prettier", "undici", "vitest"];

/** CommonJS packages call `require` for Node's own modules. */
const requireForCommonJs =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * Bundles a package from its sources.
 * @param {keyof typeof entries} name its folder
 * @returns {Promise<{ readonly path: string, readonly contents: Uint8Array }[]>} files, their paths relative to the package
 */
export async function bundlePackage(name) {
  const folder = join(root, "packages", name);
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: entries[name].map((entry) => `src/${entry}.ts`),
    outbase: "src",
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    conditions: ["bearhug-source"],
    external,
    sourcemap: "linked",
    sourcesContent: false,
    banner: { js: requireForCommonJs },
    logLevel: "warning",
  });
  return outputFiles.map(({ path, contents }) => ({ path: relative(folder, path), contents }));
}
