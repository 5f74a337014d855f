import { CaptureError } from "../capture.ts";
import { CaptureScanner, type Chunks, type ScannedItem, type NeedsBody } from "./capture-scanner.ts";

interface ScanOptions {
  /**
   * Selects the responses whose bodies are read: all, none, or those for whose entry, passed without the
   * body, the function returns true. For the others `response.content.text` is null, and nothing is held.
   * @default true
   */
  readonly bodies?: boolean | NeedsBody;
}

/**
 * Splits a HAR file as it arrives: the elements of `log.entries` and `log.pages` and the other members of
 * `log`, in file order, one at a time. A broken part is a finding, and the rest is read.
 *
 * @throws CaptureError when the file as a whole is not a capture, perhaps only at its end.
 */
export async function* scanCapture(
  chunks: Chunks,
  { bodies = true }: ScanOptions = {},
): AsyncGenerator<ScannedItem> {
  const needsBody = typeof bodies === "boolean" ? () => bodies : bodies;
  const scanner = new CaptureScanner(bodies === false ? null : needsBody);
  const size = { bytes: 0 };
  for await (const chunk of utf8Bytes(counted(chunks, size))) {
    yield* scanner.push(chunk);
    if (scanner.isDone) break;
  }
  yield* scanner.end(size.bytes);
}

async function* counted(chunks: Chunks, size: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    size.bytes += chunk.length;
    yield chunk;
  }
}

/** Enough bytes to recognize a byte order mark, an encoding or an archive. */
const signatureBytes = 4;

/**
 * Yields the bytes of a file as UTF-8 without a byte order mark. Transcodes UTF-16, which its mark or its
 * first characters reveal.
 */
async function* utf8Bytes(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let transcode: ((chunk?: Uint8Array) => Uint8Array) | null = null;
  let head: Uint8Array = new Uint8Array(0);
  let isKnown = false;
  for await (const chunk of chunks) {
    if (isKnown) {
      yield transcode === null ? chunk : transcode(chunk);
      continue;
    }
    head = concatenate(head, chunk);
    if (head.length < signatureBytes) continue;
    isKnown = true;
    transcode = chooseTranscoder(head);
    yield transcode === null ? withoutMark(head) : transcode(head);
  }
  if (!isKnown) {
    transcode = chooseTranscoder(head);
    yield transcode === null ? withoutMark(head) : transcode(head);
  }
  if (transcode !== null) yield transcode();
}

function chooseTranscoder([first, second]: Uint8Array): ((chunk?: Uint8Array) => Uint8Array) | null {
  if (first === 0x1f && second === 0x8b) {
    throw new CaptureError("The capture is compressed with gzip. Unpack it first (gunzip).");
  }
  if (first === 0x50 && second === 0x4b) {
    throw new CaptureError("The capture is a zip archive. Unpack it and pass the .har file inside.");
  }
  // A capture begins with an ASCII character, which in UTF-16 has a zero byte beside it, even without a mark.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return transcoderOf("utf-16le");
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return transcoderOf("utf-16be");
  return null;
}

function transcoderOf(encoding: string): (chunk?: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return (chunk) =>
    encoder.encode(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
}

function withoutMark(head: Uint8Array): Uint8Array {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
