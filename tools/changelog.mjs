// The single changelog, which changesets generates from .changeset/. .changeset/config.json refers to this
// module.
import { join } from "node:path";
import { repository } from "./repository.mjs";
import { root } from "./workspace.mjs";

export const changelogPath = join(root, "packages/cli/CHANGELOG.md");

/**
 * Returns a change in the changelog's format. A paragraph becomes an item of the list; a text with headings
 * stays as it is. Links are adapted to the changelog's folder.
 * @param {{ readonly summary: string }} changeset
 */
export function getReleaseLine({ summary }) {
  const text = summary.replaceAll("](../", "](../../");
  return /^#/m.test(text) ? text : `- ${text.replaceAll("\n", "\n  ")}`;
}

/** Returns nothing: all packages have the same version, so an updated dependency is not worth a line. */
export function getDependencyReleaseLine() {
  return "";
}

/**
 * Returns the changelog's section on a version; empty if there is none.
 * @param {string} changelog
 * @param {string} version
 */
export function sectionOf(changelog, version) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version}\n`));
  return section?.slice(version.length).trim() ?? "";
}

/**
 * Returns a part of the changelog for use elsewhere, with links to the files of a tag.
 * @param {string} text
 * @param {string} tag
 */
export function linksOfTag(text, tag) {
  return text.replaceAll("](../../", `](${repository}/blob/${tag}/`);
}
