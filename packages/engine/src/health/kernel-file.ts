import { readdirSync, readFileSync } from "node:fs";

/** One of the small files in which the kernel tells about itself; null where there is none, as on other systems. */
export function readKernelFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The names in such a folder; none where there is none. */
export function listKernelFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
