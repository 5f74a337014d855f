import { readdirSync, readFileSync } from "node:fs";

/** Reads one of the kernel's small status files; null if it does not exist, as on other systems. */
export function readKernelFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Lists such a folder; empty if it does not exist. */
export function listKernelFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
