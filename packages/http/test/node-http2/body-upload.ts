import type { ClientHttp2Stream } from "node:http2";

import { readThrown } from "@bearhug/plan/protocol/read-thrown";

import { TransportFailure } from "../../src/failures/transport-failure.ts";
import type { StreamedBody } from "../../src/transport/wire-body.ts";

/** Receives the outcome of an upload; nothing after `stop`. */
export interface UploadListener {
  onUploaded(): void;
  onUploadFailed(failure: TransportFailure): void;
}

/** Writes a body to a stream while it is read: a piece at a time, as fast as flow control allows. */
export class BodyUpload {
  readonly #stream: ClientHttp2Stream;
  readonly #body: StreamedBody;
  readonly #listener: UploadListener;
  #source: AsyncIterator<Uint8Array> | null = null;
  #isOver = false;
  #resume: (() => void) | null = null;

  constructor(stream: ClientHttp2Stream, body: StreamedBody, listener: UploadListener) {
    this.#stream = stream;
    this.#body = body;
    this.#listener = listener;
    void this.#run();
  }

  /** Stops the upload, as the rest is not needed. The source is notified; its errors are ignored. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resume?.();
    Promise.resolve(this.#source?.return?.()).catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      const source = this.#body.open()[Symbol.asyncIterator]();
      this.#source = source;
      await this.#writePieces(source, this.#body.length);
    } catch (error) {
      this.#fail(readThrown(error).reason);
    }
  }

  async #writePieces(source: AsyncIterator<Uint8Array>, length: number | null): Promise<void> {
    let written = 0;
    for (let piece = await source.next(); piece.done !== true; piece = await source.next()) {
      if (this.#isOver) return;
      if (piece.value.length === 0) continue;
      written += piece.value.length;
      if (length !== null && written > length) break;
      await this.#write(piece.value);
    }
    if (this.#isOver) return;
    if (length !== null && written !== length) {
      this.#fail(
        `its declared length is ${length} bytes, but it is ${written > length ? "longer" : "shorter"}`,
      );
      return;
    }
    this.#stream.end(() => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#listener.onUploaded();
    });
  }

  /** Resolves when the system has the piece, or the upload is stopped. */
  #write(piece: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#stream.write(piece, () => {
        resolve();
      });
    });
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.stop();
    this.#listener.onUploadFailed(new TransportFailure({ kind: "requestBody", reason }));
  }
}
