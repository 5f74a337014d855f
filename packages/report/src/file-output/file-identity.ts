import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The same for every name of one file, be it a link; for a file that is not there yet, its place. */
export function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return join(realFolder(dirname(resolve(path))), basename(path));
  }
}

/** A folder without links in its path, as far as it is there. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realFolder(dirname(path)), basename(path));
  }
}
