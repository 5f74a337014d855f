import { FileNotWritten } from "./file-not-written.ts";
import { type Content, stageFile, type StagedFile } from "./stage-file.ts";

export interface OutputFile {
  readonly path: string;
  readonly content: Content;
}

/**
 * Writes files that belong together: all of them are on the disk before the first takes its place.
 * @throws {FileNotWritten} and has then left nothing behind
 */
export async function writeFiles(files: readonly OutputFile[]): Promise<void> {
  const staged: StagedFile[] = [];
  try {
    for (const { path, content } of files) staged.push(await explained(path, () => stageFile(path, content)));
    for (const [index, file] of staged.entries())
      await explained(files[index]?.path ?? "", () => file.commit());
  } catch (error) {
    await Promise.allSettled(staged.map((file) => file.discard()));
    throw error;
  }
}

async function explained<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw new FileNotWritten(path, error);
    throw error;
  }
}
