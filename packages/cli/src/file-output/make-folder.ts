import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder with those above it. Not by mkdir's own `recursive`, which tries for ever where the system says that a
 * folder is missing although the one above is there, as in /proc.
 */
export async function makeFolder(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return; // Perhaps made by somebody else, just now.
    if (hasParent || !hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
