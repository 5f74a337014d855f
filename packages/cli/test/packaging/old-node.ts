import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Finds a Node on this machine that is too old for bearhug: BEARHUG_OLD_NODE, or the first on the PATH. */
export function findOldNode(): string | undefined {
  const candidates = [
    process.env["BEARHUG_OLD_NODE"] ?? "",
    ...(process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node")),
  ];
  return candidates.find((path) => existsSync(path) && isTooOld(path));
}

function isTooOld(node: string): boolean {
  const { stdout } = spawnSync(node, ["--print", "process.versions.node"], { encoding: "utf8" });
  const [major = NaN, minor = NaN] = stdout.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 19);
}
