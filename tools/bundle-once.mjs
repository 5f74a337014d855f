// The bundles of all packages, made once for the same sources: the build and the tests share them.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

import { bundledPackages, bundlePackage, packages } from "./bundle-packages.mjs";
import { root } from "./workspace.mjs";

/** @typedef {{ readonly name: (typeof packages)[number], readonly files: readonly import("./bundle-packages.mjs").BundledFile[] }} Bundle */

const cacheFolder = join(root, "node_modules/.cache/bearhug/bundles");

/**
 * All inputs of a bundle, except the version of Node. pnpm's copy of the lock file identifies the installed
 * packages.
 */
const inputs = [
  ...[...packages, ...bundledPackages].flatMap((name) =>
    ["src", "package.json", "tsconfig.json"].map((input) => `packages/${name}/${input}`),
  ),
  "package.json",
  "tsconfig.base.json",
  "tools",
  "node_modules/.pnpm/lock.yaml",
];

/**
 * Bundles the packages, or returns cached bundles of the same inputs.
 * @returns {Promise<readonly Bundle[]>}
 */
export async function bundleOnce() {
  const name = `${hashOf(root, inputs)}.bin`;
  try {
    return /** @type {Bundle[]} */ (deserialize(readFileSync(join(cacheFolder, name))));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const bundles = await Promise.all(
    packages.map(async (name) => ({ name, files: await bundlePackage(name) })),
  );
  // Not cached if the inputs changed meanwhile, because the bundles may mix both states.
  if (name === `${hashOf(root, inputs)}.bin`) store(name, serialize(bundles));
  return bundles;
}

/**
 * Returns a hash of the version of Node, and of the names and contents of files and of all files in folders.
 * @param {string} from
 * @param {readonly string[]} paths relative to `from`
 */
export function hashOf(from, paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths.flatMap((path) => filesOf(from, path))) {
    const contents = readFileSync(join(from, path));
    hash.update(`\n${path}\n${contents.length}\n`).update(contents);
  }
  return hash.digest("hex");
}

/**
 * @param {string} from
 * @param {string} path
 */
function filesOf(from, path) {
  if (statSync(join(from, path)).isFile()) return [path];
  const inside = readdirSync(join(from, path), { recursive: true, withFileTypes: true });
  const files = inside.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1)).toSorted();
}

/**
 * Stores these bundles, and removes all others. The file is renamed into place, so that other processes never
 * read half of it.
 * @param {string} name
 * @param {Uint8Array} contents
 */
function store(name, contents) {
  rmSync(cacheFolder, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  const written = join(cacheFolder, `${name}.${process.pid}`);
  writeFileSync(written, contents);
  renameSync(written, join(cacheFolder, name));
}
