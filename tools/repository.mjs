// The address of the repository: `repository` in the root's package.json has it, once for packages, docs and workflows.
import { relative } from "node:path";
import { root, workspace } from "./workspace.mjs";

/** Such as https://github.com/OWNER/bearhug. */
export const repository = workspace.repository;

/** Its owner and name, as actions are named: OWNER/bearhug. */
export const repositoryName = new URL(repository).pathname.slice(1);

/** False until a maintainer has put an account in place of OWNER. */
export const hasOwner = !repositoryName.startsWith("OWNER/");

/**
 * A manifest as it is published: with the addresses of its sources and issues, and without what only its sources need. pnpm names
 * dependencies in the order in which it has found them, another one each time.
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
