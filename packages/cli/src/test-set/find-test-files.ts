import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { displayPath } from "@bearhug/plan/test-file/source-lines";

/** The glob of test files, where the user names no file. */
const testPattern = "**/*.load.{ts,mts,js,mjs}";

/** The endings of test files, for messages. */
export const testNames = ".load.ts, .load.mts, .load.js or .load.mjs";

export const noTests =
  "No tests found: no file in this folder or below it ends in .load.ts, .load.mts, .load.js or .load.mjs. Name a file to choose it.";

const neverTests = ["**/node_modules/**", "**/dist/**", "**/.*/**"];

/**
 * Expands patterns to files, each once: paths stay as they are, folders become the tests in them, and globs
 * (which not every shell expands) their matches. Adds a sentence for each pattern without a file; `problemOf`
 * returns the problem of a path.
 */
export async function findTestFiles(
  patterns: readonly string[],
  problemOf: (path: string) => string | null,
  problems: string[],
): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => filesOf(pattern, problemOf)));
  for (const files of found) if (typeof files === "string") problems.push(files);
  const files = found.flatMap((one) => (typeof one === "string" ? [] : one));
  return [...new Map(files.map((file) => [resolve(file), file])).values()];
}

/** Returns the files of one pattern, or a sentence if there are none. */
async function filesOf(
  pattern: string,
  problemOf: (path: string) => string | null,
): Promise<readonly string[] | string> {
  if (isFolder(pattern)) {
    const files = await globbed(testPattern, pattern);
    return files.length > 0 ? files : `${pattern} has no tests: no file in it ends in ${testNames}.`;
  }
  if (!isPattern(pattern)) return problemOf(pattern) ?? [pattern];
  const files = await globbed(pattern);
  return files.length > 0 ? files : `No file matches ${pattern}.`;
}

/** Expands globs to any files. A glob without a file stays as it is. */
export async function expandGlobs(patterns: readonly string[]): Promise<string[]> {
  const found = patterns.map(async (pattern) => {
    const files = isPattern(pattern) ? await globbed(pattern, ".", []) : [];
    return files.length > 0 ? files : [pattern];
  });
  return (await Promise.all(found)).flat();
}

async function globbed(
  pattern: string,
  folder = ".",
  ignore: readonly string[] = neverTests,
): Promise<string[]> {
  // Loaded on demand: most runs have no globs.
  const { glob } = await import("tinyglobby");
  const files = await glob(pattern, { cwd: folder, ignore, expandDirectories: false });
  return files.map((file) => displayPath(resolve(join(folder, file)))).toSorted();
}

/** True for a folder or a glob, which may match several tests. */
export function isPattern(text: string): boolean {
  return isFolder(text) || (/[*?[\]{}]|[!+@]\(/.test(text) && !existsSync(text));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Finds all tests below the current folder. */
export function findAllTests(): Promise<string[]> {
  return globbed(testPattern);
}
