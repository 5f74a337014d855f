import { Readable } from "node:stream";

import type { StreamedBody } from "../transport/wire-body.ts";
import { RequestFault } from "./request-fault.ts";

/** Streams that a request has read, or that were abandoned unread: they cannot be read again. */
const spent = new WeakSet<object>();

/**
 * Wraps a test's own stream of bytes. `what` is its name in errors.
 * @throws {RequestFault} if an earlier request has read it: it would be sent empty.
 */
export function streamBody(
  source: AsyncIterable<Uint8Array>,
  length: number | null,
  what: string,
): StreamedBody {
  if (spent.has(source)) throw new RequestFault("INVALID_REQUEST", spentSentence(what));
  // An early error is reported to the reader later. Without a listener, it would end the worker.
  if (source instanceof Readable) source.on("error", ignore);
  return {
    length,
    isRepeatable: false,
    open: () => readOnce(source, length, what),
    abandon: () => {
      abandon(source);
    },
  };
}

/** Wraps a `Blob`. `what` is its name in errors. A Blob backed by a file is read from the file. */
export function blobBody(blob: Blob, what: string): StreamedBody {
  return { length: blob.size, isRepeatable: true, open: () => exactly(blob.stream(), blob.size, what) };
}

async function* readOnce(
  source: AsyncIterable<Uint8Array>,
  length: number | null,
  what: string,
): AsyncGenerator<Uint8Array> {
  if (spent.has(source)) throw new Error(spentSentence(what));
  if (isReadOnce(source)) spent.add(source);
  yield* exactly(source, length, what);
}

/** Yields the bytes of `source`. Throws if they are not as many as declared. */
export async function* exactly(
  source: AsyncIterable<unknown>,
  length: number | null,
  what: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    if (!(piece instanceof Uint8Array)) {
      const kind = piece === null ? "null" : `a value of type ${typeof piece}`;
      throw new Error(`${what} produced ${kind}, but only bytes (Uint8Array) can be sent`);
    }
    bytes += piece.length;
    if (length !== null && bytes > length) {
      throw new Error(`${what} is longer than its declared length of ${length} bytes`);
    }
    if (piece.length > 0) yield piece;
  }
  if (length !== null && bytes < length) {
    throw new Error(`${what} ended after ${bytes} of its declared ${length} bytes`);
  }
}

/** Returns true for a source that can be read only once. Other iterables may start over each time. */
function isReadOnce(source: object): boolean {
  return source instanceof Readable || source instanceof ReadableStream || "next" in source;
}

function abandon(source: AsyncIterable<Uint8Array>): void {
  const isUnread = !spent.has(source);
  if (isReadOnce(source)) spent.add(source);
  // Also ends a reader that waits for the next piece.
  if (source instanceof Readable) source.destroy();
  else if (isUnread && source instanceof ReadableStream) source.cancel().catch(ignore);
}

function spentSentence(what: string): string {
  return `${what} was read by an earlier request, and a stream can be read only once: create one for each request.`;
}

function ignore(): void {
  // No reader is left that the error could matter to.
}
