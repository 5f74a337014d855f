import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson, root } from "./workspace.mjs";

/** @typedef {{ name: string, version: string, private?: boolean, dependencies?: Record<string, string> }} Manifest */
/** @typedef {{ manifest: Manifest, folder: string, file: string }} Package `file` is the name of its tarball in a release */

/** The folder into which `pnpm pack:packages` writes the tarballs. */
export const packedFolder = join(root, "node_modules/.cache/bearhug/packed");

/** The version of all packages. */
export const { version } = /** @type {Manifest} */ (readJson(join(root, "packages/cli/package.json")));

/** All packages of the workspace. */
export const packages = globSync("packages/*/package.json", { cwd: root })
  .toSorted()
  .map((path) => {
    const manifest = /** @type {Manifest} */ (readJson(join(root, path)));
    const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    return { manifest, folder: join(root, dirname(path)), file };
  });

/** The packages to publish on npm, each after its dependencies. */
export const publishedPackages = inOrder(packages.filter(({ manifest }) => manifest.private !== true));

/** @param {readonly Package[]} unordered */
function inOrder(unordered) {
  /** @type {Set<Package>} */
  const ordered = new Set();
  /** @param {Package} one */
  const add = (one) => {
    const needed = unordered.filter(({ manifest }) => manifest.name in (one.manifest.dependencies ?? {}));
    needed.forEach(add);
    ordered.add(one);
  };
  unordered.forEach(add);
  return [...ordered];
}
