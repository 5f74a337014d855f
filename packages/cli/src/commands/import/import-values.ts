import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";

import { addValues } from "./env-files.ts";
import { findTracking } from "./git-ignore.ts";
import type { ImportFlags } from "./import-options.ts";
import { promptLine, canPrompt } from "./prompts.ts";

/** The `.env` that will hold the recorded values. */
export interface PlannedValues {
  readonly path: string;
  readonly text: string;
  readonly unwritable: readonly string[];
  /** The `.gitignore` that will list the file, with its new content; null if no entry is needed. */
  readonly ignore: { readonly path: string; readonly content: string } | null;
}

/** Only the owner may read and write the file. */
export const secretFileMode = 0o600;

/**
 * Plans the `.env` of a test. Prompts on a terminal before it adds an entry to a `.gitignore`.
 * @throws {InvalidInput} if git tracks the file or would, or if existing values would change
 */
export async function planValues(
  output: string,
  values: Readonly<Record<string, string>>,
  { force, yes }: Pick<ImportFlags, "force" | "yes">,
): Promise<PlannedValues | null> {
  if (Object.keys(values).length === 0) return null;
  const path = join(dirname(output), ".env");
  const { text, unwritable, changed } = addValues(readExisting(path), values);
  if (changed.length > 0 && !force)
    throw new InvalidInput([
      `--with-values ${path}: already has other values for ${changed.join(", ")}. Write the test to another folder, or use --force to add the recorded values, which then take precedence.`,
    ]);
  return { path, text, unwritable, ignore: await planIgnore(path, yes) };
}

/**
 * Checks, before there are any values, that a `.env` beside the test could hold them. Returns true if the
 * user agreed to add it to a `.gitignore`.
 * @throws {InvalidInput} if git tracks the file or would, or if nothing can be added to it
 */
export async function agreeOnValues(output: string, mayAdd: boolean): Promise<boolean> {
  const path = join(dirname(output), ".env");
  readExisting(path);
  return (await planIgnore(path, mayAdd)) !== null;
}

/** Strict: bytes that are not UTF-8 would not survive decoding and writing. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readExisting(path: string): string | null {
  try {
    // Through a symbolic link, secrets would end up in an unexpected place.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new InvalidInput([`--with-values ${path}: exists, and is not a regular file.`]);
    return existsSync(path) ? utf8.decode(readFileSync(path)) : null;
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof InvalidInput) throw error;
    if (error.code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new InvalidInput([
        `--with-values ${path}: is not UTF-8, so nothing can be added to it. Save it as UTF-8.`,
      ]);
    throw new InvalidInput([`--with-values ${path}: cannot be read (${String(error.code)}).`]);
  }
}

async function planIgnore(path: string, mayAdd: boolean): Promise<PlannedValues["ignore"]> {
  const tracking = await findTracking(path);
  if (tracking.kind === "safe") return null;
  if (tracking.kind === "tracked")
    throw new InvalidInput([
      `--with-values ${path}: git tracks this file, so secrets cannot go there. Remove it from git first: git rm --cached ${path}`,
    ]);
  const question = `git would track ${path}, which will contain secrets. Add ".env" to ${tracking.path}?`;
  if (mayAdd || (canPrompt() && isYes(await promptLine(`${question} [y/N]`))))
    return { path: tracking.path, content: tracking.content };
  throw new InvalidInput([
    `--with-values ${path}: git would track this file, which would contain secrets. Use --yes to add ".env" to ${tracking.path}.`,
  ]);
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(?:es)?$/i.test(answer);
}
