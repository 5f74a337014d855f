import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ReportNotWritten } from "./report-not-written.ts";

/**
 * Writes a report whole or not at all: to a file beside `path`, which then takes its place, so that neither a full
 * disk nor a killed process leaves half a report, or loses an older one.
 * @throws {ReportNotWritten}
 */
export async function writeReport(reporter: string, path: string, content: string): Promise<void> {
  try {
    const existing = await kindOf(path);
    if (existing === "other") await writeFile(path, content);
    else await replaceFile(existing === "file" ? await realpath(path) : path, content);
  } catch (error) {
    throw new ReportNotWritten(reporter, error, path);
  }
}

/** A device or a pipe (`/dev/stdout`) is written to, never replaced; to write to a folder fails, as it should. */
async function kindOf(path: string): Promise<"absent" | "file" | "other"> {
  try {
    return (await stat(path)).isFile() ? "file" : "other";
  } catch {
    return "absent";
  }
}

async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  await makeFolder(dirname(path));
  try {
    await writeDurably(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    // Why the report was not written matters, not what became of the beginning of it.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes a folder with those above it. Not by mkdir's own `recursive`, which tries for ever where the system says that a
 * folder is missing although the one above is there, as in /proc.
 */
async function makeFolder(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return; // Perhaps made by another report, just now.
    if (hasParent || !hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
