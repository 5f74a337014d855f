import { readOpenFilesLimit } from "@bearhug/engine/health/open-files";
import { InvalidInput } from "@bearhug/sdk";

/** With fewer files, loading a test fails somewhere, with an error that does not name the reason. */
const minFiles = 64;

/** @throws {InvalidInput} if the process may open too few files to work at all */
export function requireOpenFiles(): void {
  const openFiles = readOpenFilesLimit() ?? Infinity;
  if (openFiles >= minFiles) return;
  throw new InvalidInput([
    `The process may open ${openFiles} files and connections at once (ulimit -n), and bearhug needs at least ${minFiles}. Raise the limit: ulimit -n 65535.`,
  ]);
}
