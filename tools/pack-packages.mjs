// Packs each public package for npm, exactly as it is published.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { packedFolder, publishedPackages } from "./published-packages.mjs";
import { root } from "./workspace.mjs";

rmSync(packedFolder, { recursive: true, force: true });
const chosen = publishedPackages.flatMap(({ manifest }) => ["--filter", manifest.name]);
const { status, error } = spawnSync(
  "pnpm",
  ["--recursive", ...chosen, "pack", "--out", join(packedFolder, "%s-%v.tgz")],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
