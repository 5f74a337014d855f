import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns a folder and those above it, the nearest first. */
export function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let above = dirname(folder); above !== folders.at(-1); above = dirname(above)) folders.push(above);
  return folders;
}

/**
 * Returns the path of the nearest file or folder with a name, in a folder or above it; null if there is none.
 */
export function findUpwards(folder: string, name: string): string | null {
  const paths = foldersAround(folder).map((one) => join(one, name));
  return paths.find((path) => existsSync(path)) ?? null;
}
