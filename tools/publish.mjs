// node tools/publish.mjs <folder> <tag>: publishes the tarballs of a release under an npm tag, each after its
// dependencies. After a failure it can be run again: versions that the registry already has are skipped.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { publishedPackages } from "./published-packages.mjs";

const [folder = "", tag = "latest"] = process.argv.slice(2);
const unpublished = publishedPackages.filter(({ manifest }) => !isPublished(manifest));
const failed = unpublished.find(({ file }) => {
  // npm sets `latest` by default, but not for a version that is older than another.
  const options = ["--access", "public", ...(tag === "latest" ? [] : ["--tag", tag])];
  // npm mistakes a relative path such as release/x.tgz for the name of a repository on GitHub.
  return spawnSync("npm", ["publish", resolve(folder, file), ...options], { stdio: "inherit" }).status !== 0;
});
if (failed !== undefined) {
  console.error(`${failed.manifest.name} could not be published, nor what follows it.`);
  process.exitCode = 1;
}

/** @param {import("./published-packages.mjs").Manifest} manifest */
function isPublished({ name, version }) {
  const { stdout } = spawnSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8" });
  const found = stdout.trim() === version;
  if (found) console.log(`${name} ${version} is published already.`);
  return found;
}
