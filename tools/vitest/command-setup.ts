import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { type Bundle, bundleOnce } from "../bundle-once.mjs";
import { root } from "../workspace.mjs";

/** The folder of bundles, in the command's package, where its dependencies can be found. */
const parent = join(root, "packages/cli/node_modules/.cache/bearhug-command");
const unusedAfterMs = 3_600_000;

/**
 * Bundles the current sources of the command for the tests, once per run; reuses a build of the same sources.
 */
export default async function setUp(): Promise<void> {
  const bundles = await bundleOnce();
  const hash = createHash("sha256");
  for (const { files } of bundles) for (const { path, contents } of files) hash.update(path).update(contents);
  const folder = join(parent, hash.digest("hex").slice(0, 16));
  mkdirSync(parent, { recursive: true });
  removeUnused();
  // The same sources make the same program, which another run may be using.
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else install(bundles, folder);
  process.env["COMMAND_UNDER_TEST"] = join(folder, "dist/main.js");
}

/** Installs the packages like npm: the command, and the others in its `node_modules`. */
function install(bundles: readonly Bundle[], folder: string): void {
  const written = mkdtempSync(join(parent, "new-"));
  for (const { name, files } of bundles) {
    const source = join(root, "packages", name);
    const target = name === "cli" ? written : join(written, "node_modules/@bearhug", name);
    for (const { path, contents } of files) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), contents);
    }
    copyFileSync(join(source, "package.json"), join(target, "package.json"));
    if (name === "cli") symlinkSync(join(source, "assets"), join(target, "assets"), "junction");
    else linkDependencies(join(source, "node_modules"), join(target, "node_modules"));
  }
  // Tests also start the command as other users.
  chmodSync(written, 0o755);
  try {
    renameSync(written, folder);
  } catch {
    // Another run was faster.
    rmSync(written, { recursive: true, force: true });
  }
}

/**
 * Links all dependencies except the workspace's own packages: those would be the last build, and the new
 * bundles are beside each other.
 */
function linkDependencies(source: string, target: string): void {
  mkdirSync(target);
  for (const name of readdirSync(source))
    if (name !== "@bearhug") symlinkSync(join(source, name), join(target, name), "junction");
}

function removeUnused(): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (statSync(path).mtimeMs < Date.now() - unusedAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
