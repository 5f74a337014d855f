import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { constantTexts } from "@bearhug/plan/test-file/constant-texts";
import type { SourceLines } from "@bearhug/plan/test-file/source-lines";
import { positionOf, type Program } from "@bearhug/plan/test-file/test-syntax";
import { foldersAround } from "@bearhug/text/find-upwards";

/** Longer texts are not paths. */
const maxPathLength = 1024;

/** The folders that a test's relative paths start from. */
export interface TestFolders {
  /** The folder of the test's file, for paths of feeds and of files to send. */
  readonly test: string;
  /** The working folder, for paths of certificates. */
  readonly working: string;
}

/**
 * Finds files that the test's code or the values of its variables name, if they are inside its project or the
 * working folder: feeds, certificates, files to send or to read. Examines the code without running it.
 */
export function findNamedFiles(
  program: Program,
  lines: SourceLines,
  folders: TestFolders,
  variables: readonly string[],
): string[] {
  const within = [projectOf(folders.test), folders.working];
  const found = new Set<string>();
  const addFiles = (text: string): void => {
    for (const path of pathsOf(text, folders))
      if (within.some((folder) => isInside(folder, path)) && isFile(path)) found.add(path);
  };
  for (const { node, text } of constantTexts(program)) {
    const position = positionOf(node);
    const isPlace = isAbsolute(text) || text.startsWith("file:");
    if (text.length <= maxPathLength && (isPlace || (position !== null && lines.isOwn(position))))
      addFiles(text);
  }
  for (const text of variables) if (text.length <= maxPathLength) addFiles(text);
  return [...found].toSorted();
}

function pathsOf(text: string, { test, working }: TestFolders): string[] {
  if (text.includes("\0") || text.includes("\n")) return [];
  if (!text.startsWith("file:")) return [resolve(test, text), resolve(working, text)];
  try {
    return [fileURLToPath(text)];
  } catch {
    return [];
  }
}

/** Returns the nearest folder around a test with a package.json, or the test's own folder. */
function projectOf(folder: string): string {
  return foldersAround(folder).find((one) => existsSync(join(one, "package.json"))) ?? folder;
}

export function isInside(folder: string, path: string): boolean {
  const fromThere = relative(folder, path);
  return fromThere !== ".." && !fromThere.startsWith(`..${sep}`) && !isAbsolute(fromThere);
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
