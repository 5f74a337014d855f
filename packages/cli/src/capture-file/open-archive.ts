import type { Readable } from "node:stream";

import { CaptureError, type BodyOf } from "@bearhug/har-import";
import yauzl, { type Entry, type ZipFile } from "yauzl";

import { maxBodyBytes, maxUnpackedBytes, type OpenedCapture, tooLarge } from "./opened-capture.ts";

/** More than any archive of a browser contains. */
const maxFiles = 500_000;

/** The name of the capture in Playwright's archives. */
const playwrightName = "har.har";

/** Opens a capture in a zip archive, which also contains its bodies. Reads only the necessary files. */
export async function openArchive(path: string): Promise<OpenedCapture> {
  const archive = await withReadableErrors(() => yauzl.openPromise(path, { autoClose: false }));
  try {
    const files = await withReadableErrors(() => listFiles(archive));
    const capture = chooseCapture(files);
    const bodies = new RememberedBodies((name) => readBody(archive, files.get(name)));
    return {
      open: () => {
        bodies.beginPass();
        return unpack(archive, capture);
      },
      bodyOf: (name) => bodies.of(name),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Returns the files by name. Names are used only for lookup: never as paths, and nothing is written. */
async function listFiles(archive: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const files = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) {
    if (files.size === maxFiles)
      throw new CaptureError(
        `The archive has more than ${maxFiles} files. Unpack it and pass the .har file inside.`,
      );
    files.set(entry.fileName, entry);
  }
  return files;
}

function chooseCapture(files: ReadonlyMap<string, Entry>): Entry {
  const playwrightCapture = files.get(playwrightName);
  const captures = [...files]
    .filter(([name]) => name.toLowerCase().endsWith(".har") && !name.startsWith("__MACOSX/"))
    .map(([, entry]) => entry);
  const [only] = captures;
  const chosen = playwrightCapture ?? only;
  if (chosen === undefined) throw new CaptureError("The archive contains no .har file.");
  if (playwrightCapture === undefined && captures.length > 1) {
    throw new CaptureError(`The archive has ${captures.length} .har files. Unpack it and pass one of them.`);
  }
  if (chosen.uncompressedSize > maxUnpackedBytes) throw tooLarge(maxUnpackedBytes);
  return chosen;
}

async function* unpack(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await withReadableErrors(() => archive.openReadStreamPromise(entry));
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    // The rest is damaged: the reader reports where the data end.
    if (size === 0) throw damaged(error);
  }
}

async function readBody(archive: ZipFile, entry: Entry | undefined): Promise<Uint8Array | null> {
  if (entry === undefined || entry.uncompressedSize > maxBodyBytes) return null;
  try {
    return await collect(await archive.openReadStreamPromise(entry));
  } catch {
    // A damaged body counts as not recorded.
    return null;
  }
}

async function collect(stream: Readable): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Replaces yauzl's messages, which mention internals of the format. System errors are rethrown with their
 * code.
 */
async function withReadableErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CaptureError || (error instanceof Error && "syscall" in error)) throw error;
    throw damaged(error);
  }
}

function damaged(cause: unknown): CaptureError {
  return new CaptureError(
    "The zip archive is damaged or in an unsupported format. Unpack it and pass the .har file inside.",
    {
      cause,
    },
  );
}

/** The limit per pass: a few kilobytes of a capture can refer to the same large body a thousand times. */
const maxPassBytes = 2 ** 30;
/** The size of the cache, from which a body is served that several entries refer to. */
const maxCachedBytes = 64 * 2 ** 20;

/**
 * Reads and caches bodies from files. Limits the bytes of each pass over the capture to an amount that fits
 * in any machine's memory.
 */
export class RememberedBodies {
  readonly #read: BodyOf;
  readonly #limitBytes: number;
  readonly #cache = new Map<string, Uint8Array>();
  #cachedBytes = 0;
  #passBytes = 0;

  constructor(read: BodyOf, limitBytes: number = maxPassBytes) {
    this.#read = read;
    this.#limitBytes = limitBytes;
  }

  /** Starts another pass over the capture. */
  beginPass(): void {
    this.#passBytes = 0;
  }

  /** Returns a body; null if it is unknown or exceeds the limit, as if it had not been recorded. */
  async of(name: string): Promise<Uint8Array | null> {
    if (this.#passBytes >= this.#limitBytes) return null;
    const bytes = this.#cache.get(name) ?? (await this.#read(name));
    if (bytes === null) return null;
    this.#passBytes += bytes.length;
    if (!this.#cache.has(name)) this.#addToCache(name, bytes);
    return this.#passBytes > this.#limitBytes ? null : bytes;
  }

  #addToCache(name: string, bytes: Uint8Array): void {
    if (bytes.length > maxCachedBytes) return;
    if (this.#cachedBytes + bytes.length > maxCachedBytes) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(name, bytes);
    this.#cachedBytes += bytes.length;
  }
}
