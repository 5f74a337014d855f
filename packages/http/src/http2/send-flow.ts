import { errorCode, Http2Violation } from "./error-codes.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { defaultFrameBytes, defaultWindowBytes, largestWindow } from "./frames.ts";

/** A piece of a body that is to be sent. */
export interface OutgoingPiece {
  readonly stream: { readonly id: number; sendWindow: number };
  /** The part that is not sent yet. */
  piece: Uint8Array;
  /** True if no other piece follows. */
  readonly isLast: boolean;
  /** True once END_STREAM is written. */
  hasEnded: boolean;
  /** Called when the whole piece is in the writer. `flush` writes it. */
  onHandedOver(flush: (written: () => void) => void): void;
}

/** Sends a connection's request bodies, as fast as the server's windows allow (RFC 9113, section 5.2). */
export class SendFlow {
  readonly #writer: FrameWriter;
  /** Bytes that all streams together may send. */
  #window = defaultWindowBytes;
  maxFrameBytes: number = defaultFrameBytes;
  /** Pieces that wait for a window, in order of arrival. */
  readonly #waiting = new Set<OutgoingPiece>();
  readonly #flush = (written: () => void): void => {
    this.#writer.flush(written);
  };

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** Sends as much as the windows allow, and the rest when they grow. */
  send(outgoing: OutgoingPiece): void {
    let isBlocked = false;
    while (!isBlocked && hasMore(outgoing)) isBlocked = !this.#sendFrame(outgoing);
    if (isBlocked) this.#waiting.add(outgoing);
    else outgoing.onHandedOver(this.#flush);
  }

  /** Flushes the writer at the end of the turn. */
  flushLater(): void {
    this.#writer.flushLater();
  }

  drop(outgoing: OutgoingPiece): void {
    this.#waiting.delete(outgoing);
  }

  /** Enlarges the window of the connection. @throws {Http2Violation} if it becomes too large */
  grow(increment: number): void {
    this.#window += increment;
    if (this.#window > largestWindow) {
      throw new Http2Violation(errorCode.flowControlError, "a WINDOW_UPDATE past the largest window");
    }
    this.sendWaiting();
  }

  /** Called when a window may have grown: sends the waiting pieces, one frame each in turn. */
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

/** Returns true if bytes, or only the end of the stream, are left to send. */
function hasMore({ piece, isLast, hasEnded }: OutgoingPiece): boolean {
  return piece.length > 0 || (isLast && !hasEnded);
}
