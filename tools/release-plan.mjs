import { sectionOf } from "./changelog.mjs";

/**
 * Why a tag must not be published, one sentence for each reason.
 * @param {string} tag
 * @param {object} sources
 * @param {boolean} sources.hasOwner
 * @param {readonly { readonly name: string, readonly version: string }[]} sources.manifests
 * @param {readonly string[]} sources.pending the files of .changeset/ that are not in the changelog yet
 * @param {string} sources.changelog
 */
export function findReleaseProblems(tag, { hasOwner, manifests, pending, changelog }) {
  const version = tag.replace(/^v/, "");
  return [
    ...(hasOwner
      ? []
      : ['"repository" in package.json still says OWNER: write the account that has the repository there.']),
    ...manifests
      .filter((manifest) => manifest.version !== version)
      .map((manifest) => `${manifest.name} has version ${manifest.version}, and the tag is ${tag}.`),
    ...pending.map((file) => `${file} is not in the changelog: run \`pnpm changeset version\`.`),
    ...(sectionOf(changelog, version) === "" ? [`The changelog says nothing about ${version}.`] : []),
  ];
}
