import { existsSync, mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";

import { readDescription, type JobFile } from "./job-description.ts";
import type { PackedJob } from "./pack-job.ts";

const descriptionName = "job.json";

/**
 * Writes a job into a flat folder: its description, which may contain secrets, and each file under its hash.
 */
export async function writeJob(folder: string, job: PackedJob): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of job.files)
    await writeFile(join(folder, file.sha256), await job.read(file), { mode: 0o600 });
  await writeFile(join(folder, descriptionName), job.description, { mode: 0o600 });
}

/** True for a folder that `writeJob` may have written. */
export function isPackedJob(folder: string): boolean {
  return existsSync(join(folder, descriptionName));
}

/** Opens a job that `writeJob` wrote. @throws {InvalidInput} if there is none */
export async function openJob(folder: string): Promise<PackedJob> {
  const description = await readFile(join(folder, descriptionName), "utf8").catch((error: unknown) => {
    throw new InvalidInput([`${folder}: has no ${descriptionName}, so it is no packed test.`], {
      cause: error,
    });
  });
  const { files } = readDescription(description);
  const read = ({ sha256 }: JobFile): Promise<Uint8Array> => readFile(join(folder, sha256));
  return { description, files, read };
}
