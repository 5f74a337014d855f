import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { KeptFolder } from "../../documents/documents.ts";
import { userRecordingFolder } from "../report/recordings.ts";

/** A run that goes on writes to its recording every second. */
const runningMs = 60_000;

interface CacheFolder {
  readonly path: string;
  readonly purpose: string;
  /** What was written since then is in use, and stays. */
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
      path: join(tmpdir(), "bearhug-compile-cache"),
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

/** Empties the folders. Recordings of runs that go on stay. */
export async function cleanKeptFolders(nowMs: number): Promise<void> {
  for (const { path, usedForMs } of cacheFolders())
    for (const name of await readdir(path).catch(() => [])) {
      const entry = join(path, name);
      const { writtenAtMs } = await measure(entry);
      if (nowMs - writtenAtMs >= usedForMs) await rm(entry, { recursive: true, force: true });
    }
}

interface Measured {
  readonly bytes: number;
  /** The last write to any file in it, as `Date.now()` counts; 0 without files. */
  readonly writtenAtMs: number;
}

/** A file or a folder with all below it; nothing where there is none. */
async function measure(path: string): Promise<Measured> {
  const found = await stat(path).catch(() => null);
  if (found === null) return { bytes: 0, writtenAtMs: 0 };
  if (!found.isDirectory()) return { bytes: found.size, writtenAtMs: found.mtimeMs };
  const names = await readdir(path).catch(() => []);
  const inside = await Promise.all(names.map((name) => measure(join(path, name))));
  return {
    bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
    writtenAtMs: Math.max(0, ...inside.map(({ writtenAtMs }) => writtenAtMs)),
  };
}
