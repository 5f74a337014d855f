import type { Clock } from "@bearhug/plan/pacing/clock";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";

import { TransportFailure } from "../failures/transport-failure.ts";
import { inPieces, isLarge, type RequestBody, type StreamedBody } from "../transport/wire-body.ts";
import type { Http2Stream, RequestUpload } from "./http2-stream.ts";
import type { OutgoingPiece, SendFlow } from "./send-flow.ts";

/** Receives the end of writing a body. Nothing is called after `stop`. */
export interface UploadListener {
  /** The whole body is in the writer. */
  onSent(stream: Http2Stream): void;
  onUploadFailed(stream: Http2Stream, failure: TransportFailure): void;
}

/** The body of a request while it is being sent, piece by piece as the server's windows allow. */
export class Upload implements RequestUpload, OutgoingPiece {
  readonly stream: Http2Stream;
  readonly #listener: UploadListener;
  readonly #flow: SendFlow;
  /** The part of the current piece that is not sent yet. */
  piece: Uint8Array = nothing;
  /** True if no other piece follows. */
  isLast = false;
  hasEnded = false;
  #isStopped = false;
  #source: AsyncIterator<Uint8Array> | null = null;
  /** Called when the system has the piece, or the upload was stopped. */
  #pieceIsWritten: (() => void) | null = null;

  constructor(stream: Http2Stream, flow: SendFlow, listener: UploadListener) {
    this.stream = stream;
    this.#flow = flow;
    this.#listener = listener;
  }

  begin(body: RequestBody, clock: Clock): void {
    if (!(body instanceof Uint8Array)) void this.#writeStreamed(body, clock);
    else if (isLarge(body)) void this.#writeStreamed(inPieces(body), clock);
    else this.#writeLast(body);
  }

  /** Drops the rest of the body, and closes its source. Errors of closing are ignored. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#flow.drop(this);
    this.#pieceIsWritten?.();
    Promise.resolve(this.#source?.return?.()).catch(() => undefined);
  }

  /** Called when the whole piece is in the writer. `flush` writes it. */
  onHandedOver(flush: (written: () => void) => void): void {
    if (this.#pieceIsWritten !== null) flush(this.#pieceIsWritten);
    this.#pieceIsWritten = null;
    if (!this.hasEnded) return;
    this.#source = null;
    this.#listener.onSent(this.stream);
  }

  #writeLast(piece: Uint8Array): void {
    this.piece = piece;
    this.isLast = true;
    this.#flow.send(this);
  }

  /** Writes a body while reading it, a piece at a time. */
  async #writeStreamed(body: StreamedBody, clock: Clock): Promise<void> {
    try {
      const source = body.open()[Symbol.asyncIterator]();
      this.#source = source;
      await this.#writePieces(source, body.length, clock);
    } catch (error) {
      this.#fail(readThrown(error).reason);
    }
  }

  async #writePieces(source: AsyncIterator<Uint8Array>, length: number | null, clock: Clock): Promise<void> {
    let written = 0;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      if (this.#isStopped) return;
      if (next.value.length === 0) continue;
      written += next.value.length;
      if (length !== null && written > length) break;
      // Reads pending data first, so that the response of a server that has already responded is not lost.
      await new Promise<void>((resolve) => {
        clock.nextTurn(resolve);
      });
      if (!this.#hasStopped()) await this.#writePiece(next.value);
    }
    if (this.#isStopped) return;
    if (length === null || written === length) {
      this.#writeLast(nothing);
      this.#flow.flushLater();
    } else {
      const found = written > length ? "longer" : "shorter";
      this.#fail(`its declared length is ${length} bytes, but it is ${found}`);
    }
  }

  /** Resolves when the system has the piece, or the upload was stopped. */
  #writePiece(piece: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#pieceIsWritten = resolve;
      this.piece = piece;
      this.#flow.send(this);
      this.#flow.flushLater();
    });
  }

  /** Returns `#isStopped`, which may have changed during an `await`. */
  #hasStopped(): boolean {
    return this.#isStopped;
  }

  #fail(reason: string): void {
    if (this.#isStopped) return;
    this.stop();
    this.#listener.onUploadFailed(this.stream, new TransportFailure({ kind: "requestBody", reason }));
  }
}

const nothing = new Uint8Array(0);
