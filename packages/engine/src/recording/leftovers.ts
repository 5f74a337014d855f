import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

import type { RecordedRun } from "../outcome/run-record.ts";
import { isRecordingName, mayHaveFingerprint } from "./folder.ts";
import { isRunning } from "./is-running.ts";

/** A recording whose process is gone: it is the only record of its run. */
export interface Leftover {
  readonly path: string;
  /** The recorded run; null if the process was killed before writing it. */
  readonly run: RecordedRun | null;
  readonly sizeBytes: number;
  /** The time of the last write, as `Date.now()` counts. */
  readonly writtenAtMs: number;
}

/** The silence after which a run of another machine counts as ended. A live run writes every second. */
const silentAfterMs = 60_000;

/** Finds leftovers, newest first. Leaves out recordings of running processes. */
export async function findLeftovers(folder: string, nowMs: number): Promise<Leftover[]> {
  const names = await namesIn(folder);
  return inspectAll(names.filter(isRecordingName), folder, nowMs);
}

/**
 * Finds leftovers that were not reported yet and may be of code with this fingerprint. Every start reads
 * these files.
 */
export async function findUnreported(
  folder: string,
  nowMs: number,
  fingerprint: string | null,
): Promise<Leftover[]> {
  const names = await namesIn(folder);
  const marks = new Set(names);
  const unreported = names.filter((name) => isRecordingName(name) && !marks.has(markOf(name)));
  return inspectAll(
    unreported.filter((name) => mayHaveFingerprint(name, fingerprint)),
    folder,
    nowMs,
  );
}

/** Removes recordings that were last written longer than `silentMs` ago. A live run writes every second. */
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

/** Marks a recording as reported. Returns false if a process has already done so. */
export async function markReported({ path }: Pick<Leftover, "path">): Promise<boolean> {
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

/** Returns true if, as far as is known, its run is still in progress. */
export async function isBeingWritten(path: string, nowMs: number): Promise<boolean> {
  return (await inspect(path, nowMs)) === null;
}

async function inspect(path: string, nowMs: number): Promise<Leftover | null> {
  // Loaded late: most runs find no leftovers, and start sooner without the schemas of recordings.
  const { readHead } = await import("./read-recording.ts");
  const head = await readHead(path);
  const { size, mtimeMs } = await stat(path);
  const silentMs = nowMs - mtimeMs;
  const isElsewhere = head?.host !== hostname();
  if (isElsewhere ? silentMs < silentAfterMs : await isRunning(head.pid, silentMs)) return null;
  return { path, run: head?.run ?? null, sizeBytes: size, writtenAtMs: mtimeMs };
}
