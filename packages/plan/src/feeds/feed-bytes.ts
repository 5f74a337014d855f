import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";

import type { SharedBytes } from "../protocol/shared-feeds.ts";
import { encodingOf } from "../test-file/text-encoding.ts";

/** Shared bytes that grow at their end. Memory that was never written is not resident. */
export class GrowingBytes {
  #bytes: SharedBytes;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(new SharedArrayBuffer(capacity));
  }

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    this.room(bytes.length).set(bytes);
    this.#length += bytes.length;
  }

  /**
   * Returns the free memory at the end: `least` bytes or more. Call {@link grow} with the number of
   * bytes that you wrote.
   */
  room(least: number): SharedBytes {
    if (this.#length + least > this.#bytes.length) {
      const larger = new SharedArrayBuffer(Math.max(this.#length + least, this.#bytes.length * 2));
      const bytes = new Uint8Array(larger);
      bytes.set(this.written());
      this.#bytes = bytes;
    }
    return this.#bytes.subarray(this.#length);
  }

  grow(by: number): void {
    this.#length += by;
  }

  written(): SharedBytes {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Larger reads are no faster, and one read takes at most 2 GiB. */
const maxBytesPerRead = 2 ** 24;
/** For a source without a size, such as a pipe. */
const firstCapacity = 2 ** 16;

/**
 * Reads a file of text as UTF-8 without a byte order mark; UTF-16 is transcoded.
 * @throws errors of the file system, and an error with a code for other encodings: `IS_ZIP` and `IS_GZIP` for
 * archives, `ERR_ENCODING_INVALID_ENCODED_DATA` for any other
 */
export async function readSharedText(path: string): Promise<SharedBytes> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // One byte more than the file has, so that its end is found without growing.
    const read = new GrowingBytes(size === 0 ? firstCapacity : size + 1);
    for (;;) {
      const room = read.room(1);
      const { bytesRead } = await file.read(room, 0, Math.min(room.length, maxBytesPerRead), null);
      if (bytesRead === 0) break;
      read.grow(bytesRead);
    }
    return asUtf8(read.written());
  } finally {
    await file.close();
  }
}

function asUtf8(bytes: SharedBytes): SharedBytes {
  const { encoding, markBytes } = encodingOf(bytes);
  const text = bytes.subarray(markBytes);
  if (encoding !== "utf-8") return transcode(text, encoding);
  if (isUtf8(text)) return text;
  const magic = Buffer.from(bytes.subarray(0, 2)).toString("latin1");
  throw Object.assign(new TypeError("not UTF-8"), { code: codes.get(magic) ?? notText });
}

const notText = "ERR_ENCODING_INVALID_ENCODED_DATA";
/** Error codes by the first two bytes of a file. */
const codes: ReadonlyMap<string, string> = new Map([
  ["PK", "IS_ZIP"],
  ["\x1f\x8b", "IS_GZIP"],
]);

function transcode(bytes: SharedBytes, encoding: string): SharedBytes {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  const text = new GrowingBytes(bytes.length + 1);
  for (let at = 0; at < bytes.length; at += maxBytesPerRead) {
    const piece = bytes.subarray(at, at + maxBytesPerRead);
    text.append(encoder.encode(decoder.decode(piece, { stream: true })));
  }
  // Throws if the text ends within a character.
  decoder.decode();
  return text.written();
}
