import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Returns a text that is the same for every path of one file, links included; for a file that does not exist,
 * its resolved path.
 */
export function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return join(realFolder(dirname(resolve(path))), basename(path));
  }
}

/** Resolves the links in a folder's path, as far as it exists. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realFolder(dirname(path)), basename(path));
  }
}
