// pnpm release 1.2.3     gives the packages that version, and what is unreleased its heading in CHANGELOG.md
// pnpm release v1.2.3    says why the tag v1.2.3 must not be published; the release workflow asks
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rooms } from "./bundle-packages.mjs";
import { closeChangelog, findReleaseProblems } from "./release-plan.mjs";
import { readJson, root } from "./workspace.mjs";

const paths = ["sdk", "har-import", "cli", "create-bearhug", "vscode", ...rooms].map((name) =>
  join(root, "packages", name, "package.json"),
);
const changelogPath = join(root, "CHANGELOG.md");

const [wanted = ""] = process.argv.slice(2);
const changelog = readFileSync(changelogPath, "utf8");
try {
  if (wanted.startsWith("v")) verify(wanted);
  else prepare(wanted);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {string} tag */
function verify(tag) {
  const manifests = paths.map(
    (path) => /** @type {import("./release-plan.mjs").Manifest} */ (readJson(path)),
  );
  const problems = findReleaseProblems(tag, manifests, changelog);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  console.log(`${tag} may be published.`);
}

/** @param {string} version */
function prepare(version) {
  const closed = closeChangelog(changelog, version, new Date().toISOString().slice(0, 10));
  for (const path of paths) {
    const manifest = readFileSync(path, "utf8");
    writeFileSync(path, manifest.replace(/^ {2}"version": "[^"]*"/m, `  "version": "${version}"`));
  }
  writeFileSync(changelogPath, closed);
  console.log(`Read the diff, commit it, then: git tag v${version} && git push origin main v${version}`);
}
