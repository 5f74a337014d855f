import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { temporaryFolder } from "./end-to-end/run-bearhug.ts";

/** Mounts a file system until the test ends. Returns false if the system does not allow that. */
export function mounted(place: string, arguments_: readonly string[]): boolean {
  if (spawnSync("mount", [...arguments_, place]).status !== 0) return false;
  onTestFinished(() => {
    spawnSync("umount", [place]);
  });
  return true;
}

/** Remounts a mount point read-only. Returns false if the system does not allow that. */
export function madeReadOnly(place: string): boolean {
  return spawnSync("mount", ["-o", "remount,bind,ro", place]).status === 0;
}

/** Makes a disk of this many KiB and returns its folder; null if the system does not allow that. */
export function smallDisk(sizeKib: number): string | null {
  const folder = join(temporaryFolder(), "disk");
  mkdirSync(folder);
  return mounted(folder, ["-t", "tmpfs", "-o", `size=${sizeKib}k`, "tmpfs"]) ? folder : null;
}
