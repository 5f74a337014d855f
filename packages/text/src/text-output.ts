import type { Writable } from "node:stream";

/** A stream for human readers, which they may close at any time (`| head -1`) without ending the run. */
export interface TextOutput {
  /**
   * Resolves when the text is written, or its reader has gone; rejects if it is lost otherwise, for example
   * because the disk is full.
   */
  write(text: string | Uint8Array): Promise<void>;
}

const kept = new WeakMap<Writable, TextOutput>();

/**
 * Makes all outputs of a stream use its current `write`. Call this before the code of a test runs, which may
 * share the streams of the process and replace their `write`.
 */
export function bindTextOutput(stream: Writable): void {
  kept.set(stream, openTextOutput(stream));
}

/** Returns an output that uses the stream's current `write`, or the one that was kept. */
export function createTextOutput(stream: Writable): TextOutput {
  return kept.get(stream) ?? openTextOutput(stream);
}

function openTextOutput(stream: Writable): TextOutput {
  outliveReader(stream);
  const write = stream.write.bind(stream);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        // A test may have changed the stream's default.
        write(text, "utf8", (error?: Error | null) => {
          if (error && !hasReaderGone(error, stream)) reject(error);
          else resolve();
        });
      }),
  };
}

const losses = new WeakMap<Writable, Error>();

/** Keeps errors of a stream from ending the process, as they would without a listener. */
function outliveReader(stream: Writable): void {
  if (!stream.listeners("error").includes(keepLoss)) stream.on("error", keepLoss);
}

function keepLoss(this: Writable, error: Error): void {
  if (!hasReaderGone(error, this) && !losses.has(this)) losses.set(this, error);
}

/** Returns the first error by which a stream lost text, unless its reader had gone; null if it lost none. */
export function firstWriteError(stream: Writable): Error | null {
  // An error of the current turn of the event loop is not emitted yet.
  if (stream.errored !== null) keepLoss.call(stream, stream.errored);
  return losses.get(stream) ?? null;
}

/**
 * True for a broken pipe, a socket of a parent that did not read everything, or a terminal that was closed.
 */
function hasReaderGone(error: Error, stream: Writable): boolean {
  if (!("code" in error)) return false;
  if (error.code === "EIO") return "isTTY" in stream && stream.isTTY === true;
  return error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "ERR_STREAM_DESTROYED";
}
