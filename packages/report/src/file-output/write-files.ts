import { BearhugError } from "@bearhug/sdk";

import { type Content, type StagedFile, stageFile } from "./stage-file.ts";

export interface OutputFile {
  readonly path: string;
  readonly content: Content;
  /** The file's permissions, such as 0o600. @default the default of the process */
  readonly mode?: number | undefined;
}

export interface Writing {
  /** A last check before the first file is put in place. If it fails, none is. */
  readonly whenStaged?: () => Promise<void>;
  /** Aborts the writing until the first file is put in place, and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/**
 * Writes files that belong together: all of them are on the disk before the first is put in place.
 * @throws {FileNotWritten} after deleting all files, except those that its message lists
 */
export async function writeFiles(
  files: readonly OutputFile[],
  { whenStaged, signal }: Writing = {},
): Promise<void> {
  const staged: StagedFile[] = [];
  try {
    for (const { path, content, mode } of files)
      staged.push(await explained(path, [], () => stageFile(path, content, { signal, mode })));
    await unlessAborted(whenStaged?.(), signal);
    await putInPlace(files, staged);
  } catch (error) {
    await Promise.allSettled(staged.map((file) => file.discard()));
    throw error;
  }
}

async function putInPlace(files: readonly OutputFile[], staged: readonly StagedFile[]): Promise<void> {
  const inPlace: string[] = [];
  for (const [index, { path }] of files.entries()) {
    await explained(path, inPlace, async () => staged[index]?.commit());
    inPlace.push(path);
  }
}

/**
 * Waits for work that may never end, such as output to a pipe that is not read, but only until the signal.
 */
async function unlessAborted(
  work: Promise<void> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason))),
    );
  });
  signal?.throwIfAborted();
  await Promise.race([work, aborted]);
}

async function explained<T>(path: string, inPlace: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw new FileNotWritten(path, error, inPlace);
    throw error;
  }
}

/** A file that the system refused to write. */
export class FileNotWritten extends BearhugError {
  override readonly name = "FileNotWritten";
  readonly code = "FILE_NOT_WRITTEN";
  readonly path: string;

  /** @param inPlace files of the same call that were already in place */
  constructor(path: string, cause: Error, inPlace: readonly string[] = []) {
    const others = inPlace.length === 0 ? "" : ` Written before it: ${inPlace.join(", ")}.`;
    super(`${path} could not be written: ${explain(cause)}.${others}`, { cause });
    this.path = path;
  }
}

/**
 * Removes from the system's message the name of the temporary file: "ENOSPC: no space left on device, write
 * '.x.tmp'".
 */
function explain({ message }: Error): string {
  return message.split(",", 1).join("");
}
