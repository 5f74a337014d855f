import { basename, dirname, join } from "node:path";
import { createReadStream } from "node:fs";
import { lstat, open, readFile, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";

import {
  type Capture,
  CaptureError,
  importCapture,
  type ImportedCapture,
  type ImportOptions,
  readCapture,
  type BodyOf,
} from "@bearhug/har-import";
import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";

import { type OpenedCapture, maxBodyBytes, maxUnpackedBytes, tooLarge } from "./opened-capture.ts";
import { openArchive } from "./open-archive.ts";

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

/** Opens a capture: plain text, gzip, or Playwright's zip archive, as its first bytes indicate. */
export async function openCapture(path: string): Promise<OpenedCapture> {
  if (!(await stat(path)).isFile()) return await openPipe(path);
  const format = formatOf(await firstBytes(path));
  if (format === "zip") return await openArchive(path);
  return {
    open: () => {
      // Gunzip may still hold a chunk when the next one is read, but `fileBytes` reuses its buffer.
      return format === "gzip" ? gunzipped(createReadStream(path)) : fileBytes(path);
    },
    bodyOf: bodiesBeside(path),
    close: () => undefined,
  };
}

/**
 * Buffers a source that can be read only once, such as standard input. For a folder, this fails with the
 * system's error.
 */
async function openPipe(path: string): Promise<OpenedCapture> {
  const pieces: Uint8Array[] = [];
  for await (const piece of createReadStream(path)) pieces.push(piece as Uint8Array);
  const isGzip = formatOf(Buffer.concat(pieces.slice(0, 2))) === "gzip";
  return {
    open: () => (isGzip ? gunzipped(pieces) : pieces),
    bodyOf: async () => Promise.resolve(null),
    close: () => undefined,
  };
}

function formatOf(head: Uint8Array): "plain" | "gzip" | "zip" {
  const [first, second] = head;
  if (first === 0x1f && second === 0x8b) return "gzip";
  return first === 0x50 && second === 0x4b ? "zip" : "plain";
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Returns a reader of bodies beside a capture: only regular files in its own folder, whatever paths the
 * capture contains.
 */
function bodiesBeside(capturePath: string): BodyOf {
  return async (name) => {
    if (basename(name) !== name) return null;
    const path = join(dirname(capturePath), name);
    try {
      const found = await lstat(path);
      return found.isFile() && found.size <= maxBodyBytes ? await readFile(path) : null;
    } catch {
      // A missing or unreadable body counts as not recorded.
      return null;
    }
  };
}

/** Large enough for speed, small enough not to matter for memory. */
const readBytes = 512 * 1024;

/** Reads a file in pieces. Each is valid only until the next is read, because they share a buffer. */
async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const place = Buffer.alloc(readBytes);
    for (;;) {
      const { bytesRead } = await file.read(place, 0, readBytes, null);
      if (bytesRead === 0) return;
      yield place.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Unpacks gzip. Truncated or damaged data ends the output: the reader reports the place and keeps the rest. */
export async function* gunzipped(
  packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number = maxUnpackedBytes,
): AsyncGenerator<Uint8Array> {
  // With this flush mode, truncated data end without an error.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
  // The iteration below throws the same error.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  let size = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = errorCode(error)?.startsWith("Z_") === true;
    if (!isDamaged) throw error;
    if (size === 0)
      throw new CaptureError("The capture's gzip data is damaged. Export it again.", { cause: error });
  }
}
