import { parse, posix, relative, sep } from "node:path";

import { foldersAround } from "@bearhug/text/folders-around";

import { isInside } from "./named-files.ts";

/** The folder of a job's bundle, in the job's folder. */
export const bundleFolder = "bundle";

/** In the job's folder, the files of the machine that packed the test lie as they did there. */
const filesFolder = "files";

/** The places of this machine in a job that it packs. */
export interface JobFolder {
  /** The folder that all places of the job have in common on this machine. */
  readonly root: string;
  readonly has: (path: string) => boolean;
  /** The path in the job, with `/` between folders. */
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

/** A file of the job as the machine that packed it would show it: relative to its working folder where it lies within. */
export function shownAsPacked(
  path: string,
  { workingFolder, packedFrom }: { readonly workingFolder: string; readonly packedFrom: string },
): string {
  const fromThere = posix.relative(workingFolder, path);
  return fromThere.startsWith("..") ? posix.join(packedFrom, posix.relative(filesFolder, path)) : fromThere;
}
