import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { temporaryFolder } from "./end-to-end/run-bearhug.ts";

/** Mounts something until the test has ended. Returns false where the system does not let us. */
export function mounted(place: string, arguments_: readonly string[]): boolean {
  if (spawnSync("mount", [...arguments_, place]).status !== 0) return false;
  onTestFinished(() => {
    spawnSync("umount", [place]);
  });
  return true;
}

/** The same thing again, which can only be read from now on. */
export function madeReadOnly(place: string): boolean {
  return spawnSync("mount", ["-o", "remount,bind,ro", place]).status === 0;
}

/** A disk of this many KiB; null where the system does not let us have one. */
export function smallDisk(sizeKib: number): string | null {
  const folder = join(temporaryFolder(), "disk");
  mkdirSync(folder);
  return mounted(folder, ["-t", "tmpfs", "-o", `size=${sizeKib}k`, "tmpfs"]) ? folder : null;
}
