import { lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sumBy } from "@bearhug/metrics/sum";
import { errorCode, errorMessage } from "@bearhug/text/caught-error";

import type { KeptFolder } from "../../documents/documents.ts";
import { userRecordingFolder } from "../report/recordings.ts";

/** -1 on systems without numeric user ids. */
const ownUid = process.getuid?.() ?? -1;

/** A run in progress writes to its recording every second, so a file this old is not in use. */
const runningMs = 60_000;

interface CacheFolder {
  readonly path: string;
  readonly purpose: string;
  /** In ms: files written within this time are in use, and stay. */
  readonly usedForMs: number;
}

/** Returns all folders that bearhug keeps outside of projects. */
function cacheFolders(): readonly CacheFolder[] {
  return [
    {
      path: userRecordingFolder(),
      purpose: "recordings of runs that ended without a report",
      usedForMs: runningMs,
    },
    // bin/bearhug.js uses the same path.
    {
      path: join(tmpdir(), `bearhug-compile-cache-${ownUid}`),
      purpose: "compiled code, for faster starts",
      usedForMs: 0,
    },
  ];
}

/** Returns the folders with their sizes. */
export async function listKeptFolders(): Promise<KeptFolder[]> {
  return Promise.all(
    cacheFolders().map(async ({ path, purpose }) => ({ path, purpose, bytes: (await measure(path)).bytes })),
  );
}

/**
 * Empties the folders, except for recordings of runs in progress. Returns a sentence for each folder that
 * could not be emptied.
 */
export async function cleanKeptFolders(nowMs: number): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of cacheFolders()) {
    const why = (await whyNotOwn(folder.path)) ?? (await cleanFolder(folder, nowMs));
    if (why !== null) problems.push(`${folder.path} was not emptied: ${why}.`);
  }
  return problems;
}

/** Returns why the folder must not be emptied; null if it belongs to this user or does not exist. */
async function whyNotOwn(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (found.isSymbolicLink()) return "it is a symbolic link, so what is in it is not bearhug's";
  if (!found.isDirectory()) return "it is not a folder";
  return ownUid === -1 || found.uid === ownUid ? null : "another user owns it";
}

async function cleanFolder({ path, usedForMs }: CacheFolder, nowMs: number): Promise<string | null> {
  try {
    for (const name of await namesIn(path)) {
      const entry = join(path, name);
      const { writtenAtMs } = await measure(entry);
      if (nowMs - writtenAtMs >= usedForMs) await rm(entry, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

interface Measured {
  readonly bytes: number;
  /** The time of the last write to any file inside, in the unit of `Date.now()`; 0 without files. */
  readonly writtenAtMs: number;
}

/**
 * Measures a file, or a folder with its contents. Symbolic links are not followed; a missing path counts as
 * empty.
 */
async function measure(path: string): Promise<Measured> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return { bytes: 0, writtenAtMs: 0 };
  if (!found.isDirectory()) return { bytes: found.size, writtenAtMs: found.mtimeMs };
  const names = await readdir(path).catch(() => []);
  const inside = await Promise.all(names.map((name) => measure(join(path, name))));
  return {
    bytes: sumBy(inside, ({ bytes }) => bytes),
    writtenAtMs: Math.max(0, ...inside.map(({ writtenAtMs }) => writtenAtMs)),
  };
}
