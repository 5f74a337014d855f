import { errorCode, Http2Violation } from "./error-codes.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { defaultFrameBytes, defaultWindowBytes, largestWindow } from "./frames.ts";

/** A piece of a body that is to be sent. */
export interface OutgoingPiece {
  readonly stream: { readonly id: number; sendWindow: number };
  /** The rest of it, not yet sent. */
  piece: Uint8Array;
  /** Nothing follows it. */
  readonly isLast: boolean;
  /** END_STREAM is written. */
  hasEnded: boolean;
  /** It is handed over, whole, to be written with `flush`. */
  onHandedOver(flush: (written: () => void) => void): void;
}

/** Sends the bodies of a connection's requests, as fast as the server's windows let it (RFC 9113, section 5.2). */
export class SendFlow {
  readonly #writer: FrameWriter;
  /** Bytes that all streams together may send. */
  #window = defaultWindowBytes;
  maxFrameBytes: number = defaultFrameBytes;
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<OutgoingPiece>();
  readonly #flush = (written: () => void): void => {
    this.#writer.flush(written);
  };

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** Sends what the windows let through; the rest when they grow. */
  send(outgoing: OutgoingPiece): void {
    let isBlocked = false;
    while (!isBlocked && hasMore(outgoing)) isBlocked = !this.#sendFrame(outgoing);
    if (isBlocked) this.#waiting.add(outgoing);
    else outgoing.onHandedOver(this.#flush);
  }

  /** Has what was sent written when this turn ends. */
  flushLater(): void {
    this.#writer.flushLater();
  }

  drop(outgoing: OutgoingPiece): void {
    this.#waiting.delete(outgoing);
  }

  /** The window of the connection grew. @throws {Http2Violation} */
  grow(increment: number): void {
    this.#window += increment;
    if (this.#window > largestWindow) {
      throw new Http2Violation(errorCode.flowControlError, "a WINDOW_UPDATE past the largest window");
    }
    this.sendWaiting();
  }

  /** A window may have grown: one frame for each that waits, in turn. */
  sendWaiting(): void {
    for (let hasSent = true; hasSent;) {
      hasSent = false;
      for (const outgoing of this.#waiting) {
        if (!this.#sendFrame(outgoing)) continue;
        hasSent = true;
        if (hasMore(outgoing)) continue;
        this.#waiting.delete(outgoing);
        outgoing.onHandedOver(this.#flush);
      }
    }
  }

  /** Returns false if a window is used up. */
  #sendFrame(outgoing: OutgoingPiece): boolean {
    const { stream, piece, isLast } = outgoing;
    const length = Math.min(piece.length, this.#window, stream.sendWindow, this.maxFrameBytes);
    if (length <= 0 && piece.length > 0) return false;
    const ends = isLast && length === piece.length;
    this.#writer.data(stream.id, length === piece.length ? piece : piece.subarray(0, length), ends);
    outgoing.piece = piece.subarray(length);
    outgoing.hasEnded = ends;
    this.#window -= length;
    stream.sendWindow -= length;
    return true;
  }
}

/** The end of a stream may be all that is left to send. */
function hasMore({ piece, isLast, hasEnded }: OutgoingPiece): boolean {
  return piece.length > 0 || (isLast && !hasEnded);
}
