// node tools/release.mjs verify v1.2.3    says why the tag v1.2.3 must not be published; the release workflow asks
// node tools/release.mjs notes v1.2.3     prints what the changelog says of it, for the release on GitHub
import { globSync, readFileSync } from "node:fs";
import { changelogPath, linksOfTag, sectionOf } from "./changelog.mjs";
import { packages } from "./published-packages.mjs";
import { findReleaseProblems } from "./release-plan.mjs";
import { hasOwner } from "./repository.mjs";
import { root } from "./workspace.mjs";

const [command, tag = ""] = process.argv.slice(2);
const changelog = readFileSync(changelogPath, "utf8");
if (command === "verify") verify();
else if (command === "notes") console.log(linksOfTag(sectionOf(changelog, tag.replace(/^v/, "")), tag));
else throw new Error("Say verify or notes, and the tag.");

function verify() {
  const manifests = packages.map(({ manifest }) => manifest);
  const pending = globSync(".changeset/*.md", { cwd: root }).toSorted();
  const problems = findReleaseProblems(tag, { hasOwner, manifests, pending, changelog });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${tag} may be published.`);
}
