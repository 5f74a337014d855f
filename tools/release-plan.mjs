/** @typedef {{ name: string, version: string, repository?: unknown }} Manifest */

/**
 * The changelog of a version that is about to be released: what was unreleased gets its heading.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 * @throws {Error} where there is nothing to release, or the version was released before
 */
export function closeChangelog(changelog, version, date) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is no version: write it like 1.2.3.`);
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`CHANGELOG.md has a section "${version}" already: choose the next version.`);
  if (!sectionOf(changelog, "Unreleased"))
    throw new Error('CHANGELOG.md has nothing under "Unreleased": there is nothing to release.');
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`);
}

/**
 * Why a tag must not be published, one sentence for each reason.
 * @param {string} tag
 * @param {readonly Manifest[]} manifests
 * @param {string} changelog
 */
export function findReleaseProblems(tag, manifests, changelog) {
  const version = tag.replace(/^v/, "");
  return [
    ...manifests
      .filter((manifest) => manifest.version !== version)
      .map((manifest) => `${manifest.name} has version ${manifest.version}, and the tag is ${tag}.`),
    ...manifests
      .filter((manifest) => manifest.repository === undefined)
      .map((manifest) => `${manifest.name} has no "repository", which npm compares with where it was built.`),
    ...(sectionOf(changelog, version) ? [] : [`CHANGELOG.md says nothing about ${version}.`]),
  ];
}

/**
 * What stands under the heading of a version; undefined where there is no such heading.
 * @param {string} changelog
 * @param {string} title
 */
function sectionOf(changelog, title) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/[ \n]/, 1)[0] === title);
  return section?.split("\n").slice(1).join("\n").trim();
}
