import { parse, posix, relative, sep } from "node:path";

import { foldersAround } from "@bearhug/text/find-upwards";

import { isInside } from "./named-files.ts";

/** The folder of a job's bundle, in the job's folder. */
export const bundleFolder = "bundle";

/** The folder, inside the job's, that mirrors the files of the machine that packed the test. */
const filesFolder = "files";

/** Maps paths of this machine to paths in a job that it packs. */
export interface JobFolder {
  /** The common parent folder of all files of the job on this machine. */
  readonly root: string;
  readonly has: (path: string) => boolean;
  /** Returns the path in the job, with `/` between folders. */
  readonly pathOf: (path: string) => string;
}

export function jobFolderAround(paths: readonly [string, ...string[]]): JobFolder {
  const root = paths.reduce(commonFolder);
  return {
    root,
    has: (path) => isInside(root, path),
    pathOf: (path) => posix.join(filesFolder, relative(root, path).split(sep).join("/")),
  };
}

function commonFolder(one: string, other: string): string {
  return foldersAround(one).find((folder) => isInside(folder, other)) ?? parse(one).root;
}

/**
 * Returns the path of a job's file as the packing machine would display it: relative to its working folder if
 * inside.
 */
export function shownAsPacked(
  path: string,
  { workingFolder, packedFrom }: { readonly workingFolder: string; readonly packedFrom: string },
): string {
  const fromThere = posix.relative(workingFolder, path);
  return fromThere.startsWith("..") ? posix.join(packedFrom, posix.relative(filesFolder, path)) : fromThere;
}
