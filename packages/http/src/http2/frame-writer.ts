import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";

import { type HpackEncoder, longestBlock } from "../hpack/hpack-encoder.ts";
import {
  flagEndHeaders,
  flagEndStream,
  frameHeadBytes,
  frameType,
  windowUpdateFrame,
  writeFrameHead,
} from "./frames.ts";

/** Larger pieces of a body are written directly, not copied into the gathered bytes. */
const copiedBytes = 4096;

/** Gathered bytes are written once there are more than this. */
const maxGathered = 64 * 1024;

/** Gathers the frames of a connection, so that all frames of a turn are written together. */
export class FrameWriter {
  readonly #socket: Socket;
  readonly #clock: Clock;
  /** Written before the gathered bytes. */
  #pieces: Uint8Array[] = [];
  #gathered: Buffer = Buffer.allocUnsafeSlow(256);
  #length = 0;
  #addedId = 0;
  /** Requests up to this stream id were written. */
  writtenId = 0;
  #willFlush = false;
  readonly #flushAtTurnsEnd = (): void => {
    this.#willFlush = false;
    this.flush();
  };
  #isStopped = false;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#pieces.length === 0;
  }

  /** Stops writing, and drops the gathered bytes. */
  stop(): void {
    this.#isStopped = true;
    this.#forget();
  }

  /** Drops the gathered bytes, and writes this as the last frame. */
  end(frame: Uint8Array): void {
    this.#forget();
    this.add(frame);
    this.flush();
    this.stop();
  }

  add(frame: Uint8Array): void {
    this.#reserve(frame.length);
    this.#gathered.set(frame, this.#length);
    this.#length += frame.length;
  }

  windowUpdate(streamId: number, increment: number): void {
    this.add(windowUpdateFrame(streamId, increment));
  }

  /** Adds a HEADERS frame, followed by CONTINUATION frames if its block is larger than a frame may be. */
  headers(
    encoder: HpackEncoder,
    streamId: number,
    fields: readonly string[],
    { isLast, maxFrameBytes }: { readonly isLast: boolean; readonly maxFrameBytes: number },
  ): void {
    this.#addedId = streamId;
    this.#reserve(frameHeadBytes + longestBlock(fields));
    const start = this.#length + frameHeadBytes;
    const end = encoder.encode(fields, this.#gathered, start);
    const flags = isLast ? flagEndStream : 0;
    if (end - start <= maxFrameBytes) {
      writeFrameHead(
        this.#gathered,
        this.#length,
        end - start,
        frameType.headers,
        flags | flagEndHeaders,
        streamId,
      );
      this.#length = end;
      return;
    }
    const block = Buffer.from(this.#gathered.subarray(start, end));
    for (let at = 0; at < block.length; at += maxFrameBytes) {
      const piece = block.subarray(at, at + maxFrameBytes);
      const ends = at + maxFrameBytes >= block.length ? flagEndHeaders : 0;
      this.#frameHead(
        piece.length,
        at === 0 ? frameType.headers : frameType.continuation,
        (at === 0 ? flags : 0) | ends,
        streamId,
      );
      this.add(piece);
    }
  }

  data(streamId: number, piece: Uint8Array, isLast: boolean): void {
    this.#frameHead(piece.length, frameType.data, isLast ? flagEndStream : 0, streamId);
    if (piece.length <= copiedBytes) this.add(piece);
    else this.#pieces.push(this.#take(), piece);
  }

  /** Writes everything. `written` is called when the system has it all, or the write has failed. */
  flush(written?: () => void): void {
    if (this.isEmpty || this.#isStopped) {
      written?.();
      return;
    }
    this.writtenId = this.#addedId;
    const hasPieces = this.#pieces.length > 0;
    if (hasPieces) this.#writePieces();
    // May write no bytes, if a piece came last: then it only serves to call `written`.
    if (!hasPieces || this.#length > 0 || written !== undefined) this.#socket.write(this.#take(), written);
    if (hasPieces) this.#socket.uncork();
  }

  /** Flushes at the end of the turn, so that other requests can add frames. */
  flushLater(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    this.#clock.nextTurn(this.#flushAtTurnsEnd);
  }

  /** Takes a copy of the gathered bytes: Node may need the memory for longer than this turn. */
  #take(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#length);
    this.#gathered.copy(bytes, 0, 0, this.#length);
    this.#length = 0;
    return bytes;
  }

  /** Writes the pieces, and leaves the socket corked. */
  #writePieces(): void {
    this.#socket.cork();
    for (const piece of this.#pieces) this.#socket.write(piece);
    this.#pieces = [];
  }

  #forget(): void {
    this.#length = 0;
    this.#pieces = [];
  }

  #frameHead(length: number, type: number, flags: number, streamId: number): void {
    this.#reserve(frameHeadBytes);
    writeFrameHead(this.#gathered, this.#length, length, type, flags, streamId);
    this.#length += frameHeadBytes;
  }

  #reserve(bytes: number): void {
    if (this.#length > maxGathered) this.flush();
    const needed = this.#length + bytes;
    if (needed <= this.#gathered.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#gathered.length));
    larger.set(this.#gathered.subarray(0, this.#length));
    this.#gathered = larger;
  }
}
