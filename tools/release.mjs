// node tools/release.mjs verify v1.2.3    reports why the tag v1.2.3 must not be published, for the release workflow
// node tools/release.mjs place v1.2.3     prints which labels v1.2.3 may take over on npm, as outputs of a step
// node tools/release.mjs notes v1.2.3     prints its section of the changelog, for the release on GitHub
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { changelogPath, linksOfTag, sectionOf } from "./changelog.mjs";
import { packages } from "./published-packages.mjs";
import { findReleaseProblems, placeOfRelease } from "./release-plan.mjs";
import { hasOwner } from "./repository.mjs";
import { root } from "./workspace.mjs";

const [command, tag = ""] = process.argv.slice(2);
const changelog = readFileSync(changelogPath, "utf8");
if (command === "verify") verify();
else if (command === "place") place();
else if (command === "notes") console.log(linksOfTag(sectionOf(changelog, tag.replace(/^v/, "")), tag));
else throw new Error("Say verify, place or notes, and the tag.");

function verify() {
  const manifests = packages.map(({ manifest }) => manifest);
  const pending = globSync(".changeset/*.md", { cwd: root }).toSorted();
  const problems = findReleaseProblems(tag, { hasOwner, manifests, pending, changelog });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${tag} may be published.`);
}

function place() {
  const place = placeOfRelease(tag.replace(/^v/, ""), publishedVersions());
  console.log(`tag=${place.tag}`);
  console.log(`is-latest=${place.isLatest}`);
  console.log(`is-latest-of-major=${place.isLatestOfMajor}`);
  console.log(`is-latest-of-minor=${place.isLatestOfMinor}`);
}

/** Returns the versions on npm; none before the first release. */
function publishedVersions() {
  const { stdout, stderr } = spawnSync("npm", ["view", "bearhug", "versions", "--json"], {
    encoding: "utf8",
  });
  const versions = /** @type {string | string[] | { error: { code: string } }} */ (JSON.parse(stdout));
  if (Array.isArray(versions) || typeof versions === "string") return [versions].flat();
  if (versions.error.code === "E404") return [];
  throw new Error(`npm does not say which versions there are:\n${stderr}`);
}
