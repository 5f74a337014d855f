import { readOpenFilesLimit } from "@bearhug/engine/health/open-files";
import { InvalidInput } from "@bearhug/sdk";

/** Below this, loading a test fails at one place or another, with errors that name none. */
const leastFiles = 64;

/** @throws {InvalidInput} where the process may open too few files to do anything */
export function requireOpenFiles(): void {
  const { soft } = readOpenFilesLimit() ?? { soft: Infinity };
  if (soft >= leastFiles) return;
  throw new InvalidInput([
    `The process may open ${soft} files and connections at once (ulimit -n), and bearhug needs at least ${leastFiles}. Raise the limit: ulimit -n 65535.`,
  ]);
}
