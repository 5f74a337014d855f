import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export type Content = string | AsyncIterable<string | Uint8Array>;

export interface Staging {
  readonly signal?: AbortSignal | undefined;
  /** The file's permissions. @default what the process gives its files */
  readonly mode?: number | undefined;
}

/** Content that is on the disk as a whole, but not yet where it belongs. */
export interface StagedFile {
  /** Puts it there, in place of what was there. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Writes to a file beside `path`, which can then take its place, so that neither a full disk nor a killed process leaves
 * half a file, or loses an older one. A device or a pipe (`/dev/stdout`) is written to at once, never replaced; to
 * write to a folder fails, as it should. The folders of `path` are made.
 */
export async function stageFile(
  path: string,
  content: Content,
  { signal, mode }: Staging = {},
): Promise<StagedFile> {
  const existing = await kindOf(path);
  if (existing === "other") {
    await writeFile(path, content, { signal });
    return { commit: () => Promise.resolve(), discard: () => Promise.resolve() };
  }
  const final = existing === "file" ? await realpath(path) : path;
  const temporary = join(dirname(final), `.${basename(final)}.${randomUUID().slice(0, 8)}.tmp`);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  await makeFolder(dirname(final));
  try {
    await writeDurably(temporary, content, { signal, mode });
  } catch (error) {
    // Why it was not written matters, not what became of the beginning of it.
    await discard().catch(() => undefined);
    throw error;
  }
  return { commit: () => rename(temporary, final), discard };
}

async function kindOf(path: string): Promise<"absent" | "file" | "other"> {
  try {
    return (await stat(path)).isFile() ? "file" : "other";
  } catch {
    return "absent";
  }
}

async function writeDurably(path: string, content: Content, { signal, mode }: Staging): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content, { signal });
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes a folder with those above it. Not by mkdir's own `recursive`, which tries for ever where the system says that a
 * folder is missing although the one above is there, as in /proc.
 */
export async function makeFolder(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return; // Perhaps made by somebody else, just now.
    if (hasParent || !hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
