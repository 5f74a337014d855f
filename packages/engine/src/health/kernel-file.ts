import { readdirSync, readFileSync } from "node:fs";

/** Reads one of the kernel's small status files; null if it does not exist, as on other systems. */
export function readKernelFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Returns the number that a pattern finds in such a file; null for none. */
export function numberIn(text: string | null, pattern: RegExp): number | null {
  const [, digits] = pattern.exec(text ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Lists such a folder; empty if it does not exist, or belongs to another user. */
export function listKernelFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Counts the names in such a folder; null if it cannot be listed. */
export function countKernelFolder(path: string): number | null {
  const names = listKernelFolder(path);
  return names.length === 0 ? null : names.length;
}
