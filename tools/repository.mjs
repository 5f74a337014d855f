// The address of the repository, read from `repository` in the root's package.json: the only source for
// packages, docs and workflows.
import { relative } from "node:path";
import { root, workspace } from "./workspace.mjs";

/** The address, such as https://github.com/OWNER/bearhug. */
export const repository = workspace.repository;

/** Owner and name, as in names of actions: OWNER/bearhug. */
export const repositoryName = new URL(repository).pathname.slice(1);

/** False until a maintainer has replaced OWNER by an account. */
export const hasOwner = !repositoryName.startsWith("OWNER/");

/**
 * Returns a manifest for publishing: with the addresses of sources and issues, without fields for
 * development. Dependencies are sorted, because pnpm lists them in a different order each time.
 * @param {Record<string, unknown>} manifest
 * @param {string} folder of the package
 * @returns {Record<string, unknown>}
 */
export function publishedManifest({ devDependencies: _, ...manifest }, folder) {
  const { dependencies, optionalDependencies } = manifest;
  return {
    ...manifest,
    ...(dependencies !== undefined && { dependencies: inOrder(dependencies) }),
    ...(optionalDependencies !== undefined && { optionalDependencies: inOrder(optionalDependencies) }),
    homepage: `${repository}#readme`,
    repository: {
      type: "git",
      url: `git+${repository}.git`,
      directory: relative(root, folder).replaceAll("\\", "/"),
    },
    bugs: { url: `${repository}/issues` },
  };
}

/** @param {unknown} dependencies */
function inOrder(dependencies) {
  const entries = Object.entries(/** @type {Record<string, string>} */ (dependencies));
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
