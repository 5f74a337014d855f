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

/** In the package of the command, where its dependencies are found. */
const parent = join(root, "packages/cli/node_modules/.cache/bearhug-command");
const forgottenAfterMs = 3_600_000;

/** Bundles the command that tests start from the sources as they are now, once for a run; or takes what was built from them. */
export default async function setUp(): Promise<void> {
  const bundles = await bundleOnce();
  const hash = createHash("sha256");
  for (const { files } of bundles) for (const { path, contents } of files) hash.update(path).update(contents);
  const folder = join(parent, hash.digest("hex").slice(0, 16));
  mkdirSync(parent, { recursive: true });
  removeForgotten();
  // The same sources are the same program, which another run may be using.
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else install(bundles, folder);
  process.env["COMMAND_UNDER_TEST"] = join(folder, "dist/main.js");
}

/** Writes the packages as npm would: the command, and the others in its `node_modules`. */
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
  // Tests start it as other users, too.
  chmodSync(written, 0o755);
  try {
    renameSync(written, folder);
  } catch {
    // Another run was faster.
    rmSync(written, { recursive: true, force: true });
  }
}

/** Links all but the workspace's own packages: those would be the last build, and the bundles stand beside each other. */
function linkDependencies(source: string, target: string): void {
  mkdirSync(target);
  for (const name of readdirSync(source))
    if (name !== "@bearhug") symlinkSync(join(source, name), join(target, name), "junction");
}

function removeForgotten(): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (statSync(path).mtimeMs < Date.now() - forgottenAfterMs)
      rmSync(path, { recursive: true, force: true });
  }
}
