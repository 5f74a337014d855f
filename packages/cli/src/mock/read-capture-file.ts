import { createReadStream } from "node:fs";
import { basename } from "node:path";
import {
  type Capture,
  CaptureError,
  type CaptureModel,
  importCapture,
  readCapture,
} from "@bearhug/har-import";
import { InvalidInput } from "../invalid-input.ts";

/** Reads a capture; says in a sentence what is wrong with the path or the file. */
export async function readCaptureFile(path: string): Promise<Capture> {
  return explained(path, () => readCapture(createReadStream(path)));
}

/** What of a capture is to be requested; a sentence where nothing is. */
export async function readCaptureModel(path: string): Promise<CaptureModel> {
  return explained(path, async () => importCapture(await readCapture(createReadStream(path))));
}

async function explained<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CaptureError) {
      throw new InvalidInput([`${basename(path)}: ${error.message}`], { cause: error });
    }
    throw new InvalidInput([explainReadError(error, path)], { cause: error });
  }
}

function explainReadError(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : null;
  switch (code) {
    case "ENOENT":
      return `There is no file ${path}.`;
    case "EISDIR":
      return `${path} is a folder; a capture is a .har file.`;
    case "EACCES":
      return `${path} may not be read (EACCES).`;
    case null:
      throw error;
    default:
      return `${path} cannot be read: ${code}.`;
  }
}
