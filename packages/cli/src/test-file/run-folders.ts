import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Another machine's processes cannot be asked for: a folder of theirs is left alone this long. */
const keptMs = 24 * 3_600_000;

/** Tells whether a process still runs whose folder was made `ageMs` ago. */
export type IsAlive = (pid: number, ageMs: number) => Promise<boolean>;

const folderName = /^bearhug-([\da-f]{8})-(\d{1,10})-[A-Za-z\d]{6}$/;

/** The prefix of this run's folder. It names the host and process, so that a later run can tell if it still runs. */
export function runFolderPrefix(): string {
  return `bearhug-${thisHost()}-${process.pid}-`;
}

/** Removes folders that runs left behind which were killed: a bundle may hold the test's secrets. */
export async function removeDeadFolders(parent: string, nowMs: number, isAlive: IsAlive): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  await Promise.all(names.map((name) => removeIfDead(parent, name, nowMs, isAlive).catch(() => undefined)));
}

async function removeIfDead(parent: string, name: string, nowMs: number, isAlive: IsAlive): Promise<void> {
  const [, host, pid] = folderName.exec(name) ?? [];
  if (host === undefined) return;
  const path = join(parent, name);
  const ageMs = nowMs - (await stat(path)).mtimeMs;
  const isDead = host === thisHost() ? !(await isAlive(Number(pid), ageMs)) : ageMs > keptMs;
  if (isDead) await rm(path, { recursive: true, force: true });
}

function thisHost(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
}
