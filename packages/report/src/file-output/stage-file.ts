import { randomUUID } from "node:crypto";
import { accessSync, constants, fsync, realpathSync, type Stats, statSync } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

import { errorCode } from "@bearhug/text/caught-error";
import { foldersAround } from "@bearhug/text/find-upwards";

export type Content = string | AsyncIterable<string | Uint8Array>;

export interface Staging {
  readonly signal?: AbortSignal | undefined;
  /** The file's permissions. @default those of the existing file, or the default of the process */
  readonly mode?: number | undefined;
}

/** Content that is complete on the disk, but not yet in its final place. */
export interface StagedFile {
  /** Puts it in its final place, replacing an existing file. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Writes to a temporary file beside `path` that can then replace it, so that neither a full disk nor a killed
 * process leaves half a file, or loses an older one. A file that cannot be replaced, because it is a mount of
 * its own or its folder allows no new files, is overwritten on commit. A device or a pipe (`/dev/stdout`) is
 * written to at once; writing to a folder fails, as it should. Missing folders of `path` are created.
 */
export async function stageFile(
  path: string,
  content: Content,
  { signal, mode }: Staging = {},
): Promise<StagedFile> {
  const existing = await stat(path).catch(() => null);
  if (existing?.isFile() === false) {
    await writeFile(path, content, { signal });
    return { commit: () => Promise.resolve(), discard: () => Promise.resolve() };
  }
  const final = existing === null ? path : await realpath(path);
  if (existing === null) await makeFolder(dirname(final));
  const { file, temporary, isBeside } = await openTemporary(final, existing, mode);
  const discard = (): Promise<void> => rm(temporary, { force: true });
  try {
    await writeDurably(file, content, signal);
  } catch (error) {
    // The reason for the failure matters, not the removal of the partial file.
    await discard().catch(() => undefined);
    throw error;
  }
  const commit = async (): Promise<void> => {
    if (isBeside && (await hasReplaced(final, temporary, existing))) return;
    await writeOver(final, temporary, mode);
    await discard();
  };
  return { commit, discard };
}

/** Returns false if the existing file cannot be replaced. */
async function hasReplaced(final: string, temporary: string, existing: Stats | null): Promise<boolean> {
  try {
    await rename(temporary, final);
    return true;
  } catch (error) {
    if (existing === null || !isRefusal(error)) throw error;
    return false;
  }
}

/**
 * Opens a temporary file beside the final one. If the final one exists and its folder allows no other files,
 * opens it in the system's temporary folder.
 */
async function openTemporary(
  final: string,
  existing: Stats | null,
  mode: number | undefined,
): Promise<{ readonly file: FileHandle; readonly temporary: string; readonly isBeside: boolean }> {
  const name = `.${basename(final)}.${randomUUID().slice(0, 8)}.tmp`;
  const beside = join(dirname(final), name);
  try {
    const file = await open(beside, "wx", mode);
    if (existing !== null) await copyOwnership(file, existing, mode);
    return { file, temporary: beside, isBeside: true };
  } catch (error) {
    if (existing === null || !isRefusal(error)) throw error;
    const temporary = join(tmpdir(), name);
    return { file: await open(temporary, "wx", ownersOnly), temporary, isBeside: false };
  }
}

/** Readable by its owner alone: other users share the folder for temporary files. */
const ownersOnly = 0o600;

/** Sets the owner and the permissions of a file to those of the file that it will replace. */
async function copyOwnership(file: FileHandle, { uid, gid, mode }: Stats, wanted?: number): Promise<void> {
  const own = await file.stat();
  // Only root may change the owner, and not every file system supports permissions.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(wanted ?? mode & 0o7777).catch(() => undefined);
}

/** Yarn's Plug'n'Play replaces Node's file handles with its own, which have no `sync`. */
const flush = promisify(fsync);

async function writeDurably(file: FileHandle, content: Content, signal?: AbortSignal): Promise<void> {
  try {
    await file.writeFile(content, { signal });
    await flush(file.fd);
  } finally {
    await file.close();
  }
}

/**
 * Writes a complete copy over a file that cannot be replaced. The part that extends the file is written
 * first: if the disk is full, the older content stays.
 */
async function writeOver(path: string, copyPath: string, mode: number | undefined): Promise<void> {
  const [copy, file] = [await open(copyPath), await open(path, constants.O_WRONLY)];
  try {
    const [{ size }, { size: olderSize }] = [await copy.stat(), await file.stat()];
    if (mode !== undefined) await file.chmod(mode);
    try {
      await copyRange(copy, file, { start: olderSize, end: size });
    } catch (error) {
      await file.truncate(olderSize);
      throw error;
    }
    await copyRange(copy, file, { start: 0, end: Math.min(size, olderSize) });
    await file.truncate(size);
    await flush(file.fd);
  } finally {
    await Promise.all([copy.close(), file.close()]);
  }
}

async function copyRange(
  from: FileHandle,
  to: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<void> {
  const buffer = Buffer.alloc(Math.min(piece, Math.max(0, end - start)));
  for (let at = start; at < end;) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(piece, end - at), at);
    // The system may write only a part; the rest is read again.
    const { bytesWritten } = await to.write(buffer, 0, bytesRead, at);
    if (bytesWritten === 0) return;
    at += bytesWritten;
  }
}

const piece = 1 << 18;

/**
 * Returns the reason why the system would not let `stageFile` write to `path`, without a full stop; null if
 * nothing prevents it.
 */
export function whyUnwritable(path: string): string | null {
  const kind = kindOf(path);
  if (kind === null) return whyNoNewFile(nearest(dirname(path)));
  const fileRefusal = refusalOf(path, constants.W_OK);
  const isReplaceable = kind.isFile() && whyNoNewFile(dirname(realpathSync(path))) === null;
  // A file on a read-only file system, in a folder that is writable, is a mount of its own.
  if (isReplaceable && fileRefusal !== "EROFS") return null;
  if (fileRefusal !== null) return describeRefusal(path, fileRefusal);
  const noCopy = kind.isFile() ? whyNoNewFile(tmpdir()) : null;
  return noCopy === null
    ? null
    : `its folder takes no new files, and the copy that is needed then cannot be made, because ${noCopy}`;
}

/** Returns the reason why no file can be created in a folder; null if nothing prevents it. */
function whyNoNewFile(folder: string): string | null {
  const place = folder === "." ? "the current folder" : folder;
  if (kindOf(folder)?.isDirectory() === false) return `${place} is not a folder`;
  return describeRefusal(place, refusalOf(folder, constants.W_OK | constants.X_OK));
}

/** Returns the path itself if it exists, otherwise its nearest existing parent. */
function nearest(path: string): string {
  return foldersAround(path).find((one) => kindOf(one) !== null) ?? path;
}

/** Returns the kind of a file or folder; null if there is none that can be read. */
export function kindOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function refusalOf(path: string, access: number): string | null {
  try {
    accessSync(path, access);
    return null;
  } catch (error) {
    return refusals.find((code) => errorCode(error) === code) ?? null;
  }
}

function describeRefusal(place: string, code: string | null): string | null {
  if (code === null) return null;
  return code === "EROFS"
    ? `${place} is on a read-only file system (EROFS)`
    : `this user may not write to ${place} (${code})`;
}

/** Codes with which the system refuses to create a file in a folder, or to replace one. */
const refusals = ["EACCES", "EPERM", "EROFS", "EBUSY"];

function isRefusal(error: unknown): boolean {
  return refusals.some((code) => errorCode(error) === code);
}

/**
 * Creates a folder and its parents. Does not use mkdir's own `recursive`, which tries forever if the system
 * reports that a folder is missing although its parent exists, as in /proc.
 */
export async function makeFolder(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return; // Another process may have created it just now.
    if (hasParent || errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}
