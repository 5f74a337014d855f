import { once } from "node:events";
import { createWriteStream } from "node:fs";
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
  #error: Error | null = null;

  private constructor(file: Writable, path: string, onError: (error: Error) => void) {
    this.#file = file;
    const compression = compressors[extname(path)];
    if (compression === undefined) {
      this.#head = file;
      this.#flush = () => undefined;
    } else {
      const compressor = compression.open();
      compressor.pipe(file);
      this.#head = compressor;
      this.#flush = () => {
        compressor.flush(compression.flush);
      };
    }
    for (const stream of new Set([this.#head, file])) {
      stream.on("error", (error) => {
        this.#error ??= error;
        onError(error);
      });
    }
  }

  /** Creates or empties a file, and creates the folders above it. */
  static async open(path: string, onError: (error: Error) => void): Promise<LineFile> {
    await makeFolder(dirname(path));
    const file = createWriteStream(path);
    await once(file, "open");
    return new LineFile(file, path, onError);
  }

  /** True while the stream's buffer is full; never after an error, because then it no longer drains. */
  get isBehind(): boolean {
    return this.#error === null && this.#head.writableNeedDrain;
  }

  write(text: string): void {
    if (this.#error === null && text !== "") this.#head.write(text);
  }

  /** Passes everything on to the system, so that readers of the file see it. */
  flush(): void {
    if (this.#error === null) this.#flush();
  }

  /** Resolves when everything is written. Rejects with the first error. */
  async end(): Promise<void> {
    if (this.#error === null) {
      this.#head.end();
      await once(this.#file, "close").catch(() => undefined);
    }
    if (this.#error !== null) throw this.#error;
  }
}
