import type { Writable } from "node:stream";

/** A stream that people read, which they may close at any time (`| head -1`) without ending the run. */
export interface TextOutput {
  /** Resolves when the text is written, or its reader has gone; rejects if it is lost otherwise, as on a full disk. */
  write(text: string | Uint8Array): Promise<void>;
}

export function createTextOutput(stream: Writable): TextOutput {
  // Without a listener a stream's error ends the process; each write's own callback tells of it.
  stream.on("error", () => undefined);
  // As it is before the code of a test runs: with `--workers 0` later writes to the process's streams are the test's.
  const write = stream.write.bind(stream);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (error?: Error | null) => {
          if (error && !hasReaderGone(error)) reject(error);
          else resolve();
        });
      }),
  };
}

function hasReaderGone(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
