import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { foldedTexts } from "@bearhug/plan/test-file/folded-texts";
import type { SourceLines } from "@bearhug/plan/test-file/source-lines";
import { positionOf, type Program } from "@bearhug/plan/test-file/test-syntax";
import { foldersAround } from "@bearhug/text/folders-around";

/** Longer texts name no file. */
const longestPath = 1024;

/** A test's folders: relative paths start there. */
export interface TestFolders {
  /** That of the test's own file. Paths of feeds and of files to send are relative to it. */
  readonly test: string;
  /** The working folder. Paths of certificates are relative to it. */
  readonly working: string;
}

/**
 * The files that the test's code names and that lie within its project, or within the working folder: feeds, certificates, files
 * to send or to read. Found in the code alone, without running it. Values of variables may name files, too.
 */
export function findNamedFiles(
  program: Program,
  lines: SourceLines,
  folders: TestFolders,
  variables: readonly string[],
): string[] {
  const within = [projectOf(folders.test), folders.working];
  const found = new Set<string>();
  const look = (text: string): void => {
    for (const path of pathsOf(text, folders))
      if (within.some((folder) => isInside(folder, path)) && isFile(path)) found.add(path);
  };
  for (const { node, text } of foldedTexts(program)) {
    const position = positionOf(node);
    const isPlace = isAbsolute(text) || text.startsWith("file:");
    if (text.length <= longestPath && (isPlace || (position !== null && lines.isOwn(position)))) look(text);
  }
  for (const text of variables) if (text.length <= longestPath) look(text);
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

/** The nearest folder around a test that has a package.json, or the test's folder itself. */
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
