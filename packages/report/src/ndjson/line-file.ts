import { once } from "node:events";
import { ftruncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, extname } from "node:path";
import type { Writable } from "node:stream";
import { constants, createBrotliCompress, createGzip, createZstdCompress } from "node:zlib";

import { makeFolder } from "../file-output/stage-file.ts";

interface Compressor extends Writable {
  flush(kind: number): void;
}

/**
 * Compression by the file's extension, and the kind of flush that makes its stream emit everything so far.
 */
const compressors: Readonly<
  Record<string, { open: () => Compressor & NodeJS.ReadableStream; flush: number }>
> = {
  ".gz": { open: createGzip, flush: constants.Z_SYNC_FLUSH },
  ".br": {
    open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  ".zst": { open: createZstdCompress, flush: constants.ZSTD_e_flush },
};

/**
 * A file of lines that is written from beginning to end under its final name, so that it can be read
 * meanwhile.
 */
export class LineFile {
  readonly #head: Writable;
  readonly #file: Writable;
  readonly #flush: () => void;
  /** The descriptor of a file whose earlier content is still there; null once it is gone. */
  #earlier: number | null;
  #error: Error | null = null;

  private constructor(file: Writable, path: string, earlier: number | null, onError: (error: Error) => void) {
    this.#file = file;
    this.#earlier = earlier;
    const compression = compressors[extname(path)];
    if (compression === undefined) {
      this.#head = file;
      this.#flush = () => undefined;
    } else {
      const compressor = compression.open();
      compressor.pipe(file);
      this.#head = compressor;
      this.#flush = () => compressor.flush(compression.flush);
    }
    for (const stream of new Set([this.#head, file])) {
      stream.on("error", (error) => {
        this.#error ??= error;
        onError(error);
      });
    }
  }

  /**
   * Opens or creates a file, and creates the folders above it. The first line replaces the file's content, so
   * that a run which is refused before it begins leaves that of the run before.
   */
  static async open(path: string, onError: (error: Error) => void): Promise<LineFile> {
    await makeFolder(dirname(path));
    const handle = await open(path, "a");
    // A pipe or device has no content to replace.
    const earlier = (await handle.stat()).isFile() ? handle.fd : null;
    return new LineFile(handle.createWriteStream(), path, earlier, onError);
  }

  /** True while the stream's buffer is full; never after an error, because then it no longer drains. */
  get isBehind(): boolean {
    return this.#error === null && this.#head.writableNeedDrain;
  }

  write(text: string): void {
    if (this.#error !== null || text === "") return;
    this.#empty();
    this.#head.write(text);
  }

  /** Passes everything on to the system, so that readers of the file see it. */
  flush(): void {
    // Before the first line, a compressor's header would follow the earlier content, and be lost with it.
    if (this.#error === null && this.#earlier === null) this.#flush();
  }

  /** Resolves when everything is written. Rejects with the first error. */
  async end(): Promise<void> {
    if (this.#error === null) {
      this.#empty();
      this.#head.end();
      await once(this.#file, "close").catch(() => undefined);
    }
    if (this.#error !== null) throw this.#error;
  }

  #empty(): void {
    if (this.#earlier !== null) ftruncateSync(this.#earlier);
    this.#earlier = null;
  }
}
