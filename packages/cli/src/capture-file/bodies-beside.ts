import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BodyOf } from "@bearhug/har-import";
import { maxBodyBytes } from "./opened-capture.ts";

/** Bodies in the folder of a capture: plain files of their own, whatever the capture says. */
export function bodiesBeside(capturePath: string): BodyOf {
  return async (name) => {
    if (basename(name) !== name) return null;
    const path = join(dirname(capturePath), name);
    try {
      const found = await lstat(path);
      return found.isFile() && found.size <= maxBodyBytes ? await readFile(path) : null;
    } catch {
      // Not there, or not for us: a body that was not recorded.
      return null;
    }
  };
}
