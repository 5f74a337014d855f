// The one changelog, which changesets writes from the files of .changeset/: .changeset/config.json names this module.
import { join } from "node:path";
import { repository } from "./repository.mjs";
import { root } from "./workspace.mjs";

export const changelogPath = join(root, "packages/cli/CHANGELOG.md");

/**
 * A change as the changelog has it. A paragraph becomes an item of the list; a text with headings stays as it is. Links begin
 * at another folder than in .changeset/.
 * @param {{ readonly summary: string }} changeset
 */
export function getReleaseLine({ summary }) {
  const text = summary.replaceAll("](../", "](../../");
  return /^#/m.test(text) ? text : `- ${text.replaceAll("\n", "\n  ")}`;
}

/** All packages have one version: that one raises another says nothing. */
export function getDependencyReleaseLine() {
  return "";
}

/**
 * What the changelog says of a version; empty where it says nothing.
 * @param {string} changelog
 * @param {string} version
 */
export function sectionOf(changelog, version) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version}\n`));
  return section?.slice(version.length).trim() ?? "";
}

/**
 * A part of the changelog that is read elsewhere, with links to the files of a tag.
 * @param {string} text
 * @param {string} tag
 */
export function linksOfTag(text, tag) {
  return text.replaceAll("](../../", `](${repository}/blob/${tag}/`);
}
