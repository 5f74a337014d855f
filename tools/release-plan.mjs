import { sectionOf } from "./changelog.mjs";

/**
 * Returns a sentence for each reason why a tag must not be published.
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

/**
 * Returns the labels that a version may take over from versions on npm (1.2.4, for example, may be published
 * after 2.0.0): npm's tag `latest`, the image and the site, or the tag `v1` of the action.
 * @param {string} version
 * @param {readonly string[]} published
 */
export function placeOfRelease(version, published) {
  const [major = "", minor = ""] = version.split(".");
  const released = published.filter((one) => /^[\d.]+$/.test(one));
  const isNewest = (/** @type {readonly string[]} */ others) =>
    others.every((other) => version.localeCompare(other, "en", { numeric: true }) >= 0);
  const isLatest = isNewest(released);
  const isLatestOfMajor = isNewest(released.filter((other) => other.startsWith(`${major}.`)));
  const isLatestOfMinor = isNewest(released.filter((other) => other.startsWith(`${major}.${minor}.`)));
  const tag = isLatest ? "latest" : isLatestOfMajor ? `latest-${major}` : `latest-${major}.${minor}`;
  return { tag, isLatest, isLatestOfMajor, isLatestOfMinor };
}
