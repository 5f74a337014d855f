// pnpm release:dry            writes the files of a release to release/; signs and publishes nothing
// pnpm release:dry --built    uses the packages that `pnpm check` has built, packed and tested
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { packedFolder, publishedPackages, version } from "./published-packages.mjs";
import { repositoryName } from "./repository.mjs";
import { runStep } from "./run-step.mjs";
import { makeSbom } from "./sbom.mjs";
import { root } from "./workspace.mjs";

const release = join(root, "release");
/** The path under which GitHub Pages serves the site. */
const siteBase = process.env["DOCS_BASE"] ?? `/${repositoryName.split("/")[1] ?? ""}/`;
const built = process.argv.includes("--built") ? [] : ["build", "pack:packages"];

if (await runInTurn([...built, "docs:build"])) {
  collectFiles();
  printTable();
} else process.exitCode = 1;

/** @param {readonly string[]} steps */
async function runInTurn(steps) {
  for (const step of steps) if (!(await runStep(step, { env: { DOCS_BASE: siteBase } })).passed) return false;
  return true;
}

function collectFiles() {
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  for (const { file } of publishedPackages) cpSync(join(packedFolder, file), join(release, file));
  const extension = join(root, "node_modules/.cache/bearhug/vscode");
  cpSync(join(extension, "bearhug-vscode.vsix"), join(release, `bearhug-vscode-${version}.vsix`));
  packSite(join(release, `bearhug-site-${version}.tar.gz`));
  const contained = [
    ...publishedPackages.map(({ manifest, folder, file }) => {
      return { name: manifest.name, version, folder, file: join(release, file) };
    }),
    { name: "bearhug-vscode", version, folder: extension },
  ];
  const sbom = makeSbom(contained, version);
  writeFileSync(join(release, `bearhug-${version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  const sums = namesIn(release).map((name) => `${hashOf(join(release, name))}  ${name}\n`);
  writeFileSync(join(release, "SHA256SUMS"), sums.join(""));
}

/**
 * Packs the site reproducibly: files are sorted, and have no times, owners or modes of this machine.
 * @param {string} file
 */
function packSite(file) {
  const cwd = join(root, "site/dist");
  const names = namesIn(cwd);
  for (const name of names) chmodSync(join(cwd, name), 0o644);
  create(
    { file, cwd, gzip: true, portable: true, mtime: new Date(0), sync: true, noDirRecurse: true },
    names,
  );
}

/** @param {string} folder */
function namesIn(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = found.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return paths.map((path) => path.replaceAll("\\", "/")).toSorted();
}

/** @param {string} path */
function hashOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function printTable() {
  console.log("\nrelease/");
  for (const name of namesIn(release)) {
    const kilobytes = (statSync(join(release, name)).size / 1000).toFixed(1);
    console.log(`  ${name.padEnd(36)}${kilobytes.padStart(8)} kB`);
  }
}
