import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname, platform, tmpdir } from "node:os";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";

/** Processes of another machine cannot be checked, so their folders are kept this long. */
const keptMs = 24 * 3_600_000;

/** Resolves to true if a process still runs whose folder was made `ageMs` ago. */
export type IsAlive = (pid: number, ageMs: number) => Promise<boolean>;

const folderName = /^bearhug-([\da-f]{8})-(\d{1,10})-[A-Za-z\d]{6}$/;

/**
 * Makes a folder for this run beside the packages in `modules`; if that is not possible, among
 * the temporary files.
 * @throws {InvalidInput} if neither is possible
 */
export async function makeRunFolder(modules: string | null): Promise<string> {
  if (modules !== null) {
    try {
      const cache = join(modules, ".cache", "bearhug");
      await mkdir(cache, { recursive: true });
      return await mkdtemp(join(cache, runFolderPrefix()));
    } catch {
      // A read-only project can still run.
    }
  }
  return makeTemporaryFolder(runFolderPrefix());
}

/** Makes a folder among the temporary files. @throws {InvalidInput} if that is not possible */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  const parent = tmpdir();
  try {
    return await mkdtemp(join(parent, prefix));
  } catch (error) {
    const variable = platform() === "win32" ? "TEMP" : "TMPDIR";
    const remedy = `Set ${variable} to a folder that can be written to`;
    throw new InvalidInput([`The temporary folder ${parent} ${whyUnusable(parent, error)}. ${remedy}.`], {
      cause: error,
    });
  }
}

function whyUnusable(folder: string, error: unknown): string {
  const code = errorCode(error) ?? "";
  if (!existsSync(folder)) return "does not exist";
  if (code === "ENOTDIR") return "is not a folder";
  return `cannot be written to${code === "" ? "" : ` (${code})`}`;
}

/**
 * Returns the prefix of this run's folder. It names the host and process, so that a later run can tell
 * whether this one still runs.
 */
function runFolderPrefix(): string {
  return `bearhug-${thisHost()}-${process.pid}-`;
}

/** Removes folders of runs that were killed: a bundle may contain the test's secrets. */
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
