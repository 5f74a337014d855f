import { basename } from "node:path";

import {
  type Capture,
  CaptureError,
  importCapture,
  type ImportedCapture,
  type ImportOptions,
  readCapture,
} from "@bearhug/har-import";
import { InvalidInput } from "@bearhug/sdk";

import { openCapture } from "./open-capture.ts";
import type { OpenedCapture } from "./opened-capture.ts";

/** Reads a capture with its responses. */
export async function readCaptureFile(path: string): Promise<Capture> {
  return withCapture(path, ({ open, bodyOf }) => readCapture(open(), { bodyOf }));
}

/** Imports the requests of a capture. */
export async function importCaptureFile(
  path: string,
  options: Omit<ImportOptions, "bodyOf"> = {},
): Promise<ImportedCapture> {
  return withCapture(path, ({ open, bodyOf }) => importCapture(open, { ...options, bodyOf }));
}

/**
 * Calls `use` with a capture on disk, and closes the capture afterwards.
 *
 * @throws {InvalidInput} with a sentence about the problem with the path or the file
 */
export async function withCapture<T>(path: string, use: (capture: OpenedCapture) => Promise<T>): Promise<T> {
  let capture: OpenedCapture | null = null;
  try {
    capture = await openCapture(path);
    return await use(capture);
  } catch (error) {
    if (error instanceof CaptureError) {
      throw new InvalidInput([`${basename(path)}: ${error.message}`], { cause: error });
    }
    throw new InvalidInput([explainReadError(error, path)], { cause: error });
  } finally {
    capture?.close();
  }
}

/** Explains a system error about this file; rethrows any other error. */
function explainReadError(error: unknown, path: string): string {
  const isSystemError = error instanceof Error && "syscall" in error && "code" in error;
  if (!isSystemError || ("path" in error && error.path !== path)) throw error;
  switch (error.code) {
    case "ENOENT":
      return `There is no file ${path}.`;
    case "EISDIR":
      return `${path} is a folder. Pass a .har file.`;
    case "EACCES":
      return `Cannot read ${path}: permission denied (EACCES).`;
    default:
      return `Cannot read ${path}: ${String(error.code)}.`;
  }
}
