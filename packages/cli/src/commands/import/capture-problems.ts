import { existsSync, statSync } from "node:fs";

/** A sentence for a capture that is not there, or is no file. */
export function captureProblems(path: string): string[] {
  if (!existsSync(path)) return [`There is no file ${path}.`];
  return statSync(path).isDirectory() ? [`${path} is a folder; a capture is a .har file.`] : [];
}
