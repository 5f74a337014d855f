import { Readable } from "node:stream";

import type { StreamedBody } from "../transport/wire-body.ts";
import { RequestFault } from "./request-fault.ts";

/** Streams that a request has read, or that were given up unread: nothing is left in them. */
const spent = new WeakSet<object>();

/**
 * A test's own stream of bytes; `what` names it in errors.
 * @throws {RequestFault} for one that an earlier request has read: it would be sent as nothing.
 */
export function streamBody(
  source: AsyncIterable<Uint8Array>,
  length: number | null,
  what: string,
): StreamedBody {
  if (spent.has(source)) throw new RequestFault("INVALID_REQUEST", spentSentence(what));
  // An error before anybody reads is told to the one who does; without a listener it would end the worker.
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

/** The bytes of a `Blob`; `what` names it in errors. One that stands for a file is read from there. */
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

/** The bytes of `source`, which must be as many as were promised. */
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

/** An iterable of a test's own may begin anew each time. */
function isReadOnce(source: object): boolean {
  return source instanceof Readable || source instanceof ReadableStream || "next" in source;
}

function abandon(source: AsyncIterable<Uint8Array>): void {
  const isUnread = !spent.has(source);
  if (isReadOnce(source)) spent.add(source);
  // Ends the one who waits for its next piece, too.
  if (source instanceof Readable) source.destroy();
  else if (isUnread && source instanceof ReadableStream) source.cancel().catch(ignore);
}

function spentSentence(what: string): string {
  return `${what} was read by an earlier request, and a stream can be read only once: create one for each request.`;
}

function ignore(): void {
  // Nobody is left whom it concerns.
}
