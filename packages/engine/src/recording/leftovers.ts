import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

import type { RecordedRun } from "../outcome/run-record.ts";
import { isRecordingName, mayBeOf } from "./folder.ts";
import { isRunning } from "./is-running.ts";

/** A recording whose process is gone: nobody else will tell of its run. */
export interface Leftover {
  readonly path: string;
  /** The recorded run; null if the process was killed before that was written. */
  readonly run: RecordedRun | null;
  readonly sizeBytes: number;
  /** The time of the last write, as `Date.now()` counts. */
  readonly writtenAtMs: number;
}

/** A run that lives writes every second; of another machine's processes nothing else is known. */
const silentAfterMs = 60_000;

/** The newest first. Files that are no recordings, and those of running processes, are left out. */
export async function findLeftovers(folder: string, nowMs: number): Promise<Leftover[]> {
  const names = await namesIn(folder);
  return inspectAll(names.filter(isRecordingName), folder, nowMs);
}

/** The same, without those already reported, and those of code with another fingerprint: each start reads the rest. */
export async function findUntold(
  folder: string,
  nowMs: number,
  fingerprint: string | null,
): Promise<Leftover[]> {
  const names = await namesIn(folder);
  const marks = new Set(names);
  const untold = names.filter((name) => isRecordingName(name) && !marks.has(markOf(name)));
  return inspectAll(
    untold.filter((name) => mayBeOf(name, fingerprint)),
    folder,
    nowMs,
  );
}

/** Removes recordings whose file is older than this. A live run writes every second. */
export async function removeOlder(folder: string, silentMs: number, nowMs: number): Promise<void> {
  const names = await namesIn(folder);
  await Promise.all(
    names.filter(isRecordingName).map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path);
      if (nowMs - mtimeMs > silentMs) await removeLeftover({ path });
    }),
  );
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function inspectAll(names: readonly string[], folder: string, nowMs: number): Promise<Leftover[]> {
  const found = await Promise.all(names.map((name) => inspect(join(folder, name), nowMs).catch(() => null)));
  return found
    .filter((leftover) => leftover !== null)
    .sort((left, right) => right.writtenAtMs - left.writtenAtMs);
}

export async function removeLeftover({ path }: Pick<Leftover, "path">): Promise<void> {
  await rm(path, { force: true });
  await rm(markOf(path), { force: true });
}

/** Marks a recording as mentioned. Returns false if any process did so before. */
export async function markTold({ path }: Pick<Leftover, "path">): Promise<boolean> {
  try {
    await writeFile(markOf(path), "", { flag: "wx", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function markOf(path: string): string {
  return `${path}.told`;
}

/** Returns true if its run still goes on, as far as can be told. */
export async function isBeingWritten(path: string, nowMs: number): Promise<boolean> {
  return (await inspect(path, nowMs)) === null;
}

async function inspect(path: string, nowMs: number): Promise<Leftover | null> {
  // Most runs find no leftover, and start sooner without the schemas of recordings.
  const { readHead } = await import("./read-recording.ts");
  const head = await readHead(path);
  const { size, mtimeMs } = await stat(path);
  const silentMs = nowMs - mtimeMs;
  const isElsewhere = head?.host !== hostname();
  if (isElsewhere ? silentMs < silentAfterMs : await isRunning(head.pid, silentMs)) return null;
  return { path, run: head?.run ?? null, sizeBytes: size, writtenAtMs: mtimeMs };
}
