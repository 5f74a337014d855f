import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** The rejection of a path from the agent, in one sentence. */
export class RefusedPath extends Error {
  override readonly name = "RefusedPath";
}

/**
 * Resolves a path, including symbolic links, to a file that must be inside one of the folders.
 * @throws {RefusedPath}
 */
export function fileWithin(path: string, folders: readonly string[], endings: readonly string[]): string {
  const [first = "."] = folders;
  const real = realPath(resolve(first, path));
  if (real === null || !statSync(real).isFile()) throw new RefusedPath(`${path}: there is no such file.`);
  if (!folders.some((folder) => isWithin(real, folder)))
    throw new RefusedPath(`${path}: is not in ${first}.`);
  if (!endings.some((ending) => real.endsWith(ending)))
    throw new RefusedPath(`${path}: must end in ${endings.join(", ")}.`);
  return real;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(realpathSync(folder), path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
