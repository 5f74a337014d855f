// node tools/each-tarball.mjs <command…>: runs a command once for each packed package, with its path as the
// last argument.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { packedFolder, publishedPackages } from "./published-packages.mjs";

const [command = "", ...args] = process.argv.slice(2);
for (const { file } of publishedPackages) {
  const { status, error } = spawnSync(command, [...args, join(packedFolder, file)], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exitCode = 1;
}
