import { existsSync, statSync } from "node:fs";

/** Returns a sentence if the capture is missing or not a file. */
export function captureProblems(path: string): string[] {
  if (!existsSync(path)) return [`There is no file ${path}.`];
  return statSync(path).isDirectory() ? [`${path} is a folder; a capture is a .har file.`] : [];
}
