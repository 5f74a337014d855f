import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * @typedef {{ "bom-ref": string, type: string, name: string, version: string, purl?: string, externalReferences?: { url: string }[], components?: Component[] }} Component
 * @typedef {{ serialNumber?: string, metadata: { timestamp?: string, component: Component }, components: Component[] }} Bom
 * @typedef {{ name: string, version: string, folder: string, file?: string }} Contained a package of the release; `folder` has its `dist`, `file` is its tarball
 */

/**
 * Makes a software bill of materials (CycloneDX): the packages that npm installs with a release, and those
 * bundled in each. It contains neither time nor random numbers, so it is reproducible.
 * @param {readonly Contained[]} packages
 * @param {string} version of the release
 */
export function makeSbom(packages, version) {
  const bom = describeInstallation(
    packages.flatMap(({ file }) => file ?? []),
    version,
  );
  delete bom.serialNumber;
  delete bom.metadata.timestamp;
  bom.metadata.component.name = "bearhug-release";
  for (const one of packages) {
    const listed = bom.components.find(({ name }) => name === one.name);
    const component = listed ?? componentOf(one.name, one.version);
    if (listed === undefined) bom.components.push(component);
    // References contain the path of the tarball on this machine.
    delete component.externalReferences;
    component.components = bundledIn(one.folder, component["bom-ref"]);
  }
  return bom;
}

/**
 * @param {readonly string[]} tarballs
 * @param {string} version
 * @returns {Bom}
 */
function describeInstallation(tarballs, version) {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-sbom-"));
  try {
    const manifest = { name: "bearhug-release", version, license: "MIT", private: true };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    npm(
      ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs],
      folder,
    );
    return /** @type {Bom} */ (
      JSON.parse(npm(["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], folder))
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the packages whose licences are in a bundle's notices.
 * @param {string} folder
 * @param {string} bundle
 */
function bundledIn(folder, bundle) {
  const notices = join(folder, "dist/THIRD-PARTY-NOTICES.txt");
  if (!existsSync(notices)) return [];
  const named = readFileSync(notices, "utf8").matchAll(/^-{80}\n(\S+) (\S+)\n\n/gm);
  return Array.from(named, ([, name = "", version = ""]) => componentOf(name, version, `${bundle}/`));
}

/**
 * @param {string} name
 * @param {string} version
 * @returns {Component}
 */
function componentOf(name, version, within = "") {
  return {
    "bom-ref": `${within}${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  const shell = process.platform === "win32";
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw error ?? new Error(`npm ${args[0] ?? ""} failed:\n${stderr}`);
  return stdout;
}
