import { lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { KeptFolder } from "../../documents/documents.ts";
import { userRecordingFolder } from "../report/recordings.ts";

/** -1 where users have no number. */
const ownUid = process.getuid?.() ?? -1;

/** A run that goes on writes to its recording every second. */
const runningMs = 60_000;

interface CacheFolder {
  readonly path: string;
  readonly purpose: string;
  /** Files written more recently, in ms, are in use, and stay. */
  readonly usedForMs: number;
}

/** Everything that bearhug keeps outside of projects. */
function cacheFolders(): readonly CacheFolder[] {
  return [
    {
      path: userRecordingFolder(),
      purpose: "recordings of runs that ended without a report",
      usedForMs: runningMs,
    },
    // As in bin/bearhug.js.
    {
      path: join(tmpdir(), `bearhug-compile-cache-${ownUid}`),
      purpose: "compiled code, for faster starts",
      usedForMs: 0,
    },
  ];
}

/** The folders with their sizes. */
export async function listKeptFolders(): Promise<KeptFolder[]> {
  return Promise.all(
    cacheFolders().map(async ({ path, purpose }) => ({ path, purpose, bytes: (await measure(path)).bytes })),
  );
}

/** Empties the folders. Recordings of runs that go on stay. Returns a sentence for each that could not be emptied. */
export async function cleanKeptFolders(nowMs: number): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of cacheFolders()) {
    const why = (await whyForeign(folder.path)) ?? (await cleanFolder(folder, nowMs));
    if (why !== null) problems.push(`${folder.path} was not emptied: ${why}.`);
  }
  return problems;
}

/** Names why the folder may not be emptied; null for a folder of this user, and where there is none. */
async function whyForeign(path: string): Promise<string | null> {
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
    return error instanceof Error ? error.message : String(error);
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

interface Measured {
  readonly bytes: number;
  /** The last write to any file in it, as `Date.now()` counts; 0 without files. */
  readonly writtenAtMs: number;
}

/** A file or a folder with all below it, and no more of a symbolic link than itself; nothing where there is none. */
async function measure(path: string): Promise<Measured> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return { bytes: 0, writtenAtMs: 0 };
  if (!found.isDirectory()) return { bytes: found.size, writtenAtMs: found.mtimeMs };
  const names = await readdir(path).catch(() => []);
  const inside = await Promise.all(names.map((name) => measure(join(path, name))));
  return {
    bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
    writtenAtMs: Math.max(0, ...inside.map(({ writtenAtMs }) => writtenAtMs)),
  };
}
