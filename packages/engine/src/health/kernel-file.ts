import { readdirSync, readFileSync } from "node:fs";

import { attempt } from "@bearhug/text/caught-error";

/** Reads one of the kernel's small status files; null if it does not exist, as on other systems. */
export function readKernelFile(path: string): string | null {
  return attempt(() => readFileSync(path, "utf8"));
}

/** Returns the number that a pattern finds in such a file; null for none. */
export function numberIn(text: string | null, pattern: RegExp): number | null {
  const [, digits] = pattern.exec(text ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Lists such a folder; empty if it does not exist, or belongs to another user. */
export function listKernelFolder(path: string): string[] {
  return attempt(() => readdirSync(path)) ?? [];
}

/** Counts the names in such a folder; null if it cannot be listed. */
export function countKernelFolder(path: string): number | null {
  const names = listKernelFolder(path);
  return names.length === 0 ? null : names.length;
}
