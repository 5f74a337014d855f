import { restOf } from "../net/shared-reader.ts";
import { errorCode, Http2Violation } from "./error-codes.ts";
import { defaultFrameBytes, flagPadded, frameHeadBytes, frameType, readId } from "./frames.ts";

/** Receives the frames of a connection in order. Bytes are only valid until the call returns. */
export interface FrameEvents {
  /** A whole frame that is not DATA: its payload lies in `bytes` from `start` to `end`. */
  onFrame(type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void;
  /** A DATA frame begins. `length` counts for flow control: data and padding. */
  onDataFrame(streamId: number, flags: number, length: number): void;
  /** A piece of its data. */
  onData(bytes: Buffer): void;
  /** The DATA frame is complete. */
  onDataEnd(): void;
}

/** Splits the bytes of a socket into frames. Passes DATA on in pieces as it arrives, other frames whole. */
export class FrameReader {
  readonly #events: FrameEvents;
  /** The beginning of an incomplete frame, in reused memory; `#partialBytes` is its length. */
  #partial: Buffer = Buffer.alloc(0);
  #partialBytes = 0;
  /** While a DATA frame is being read: the data and padding that are still missing. */
  #isInData = false;
  #dataLeft = 0;
  #paddingLeft = 0;
  #isStopped = false;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** Stops reading, even within the current call of `feed`. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @throws {Http2Violation} for an invalid frame */
  feed(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.#isStopped) {
      if (this.#isInData) at = this.#readData(bytes, at);
      else if (this.#partialBytes > 0) at = this.#fillPartial(bytes, at);
      else {
        const end = this.#readFrame(bytes, at, bytes.length);
        if (end === at) {
          this.#keep(bytes, at, bytes.length);
          return;
        }
        at = end;
      }
    }
  }

  /** Reads a frame, or the beginning of DATA. Returns the position after it, or `at` if it is incomplete. */
  #readFrame(bytes: Buffer, at: number, limit: number): number {
    const needed = this.#neededAt(bytes, at, limit - at);
    if (needed > limit - at) return at;
    const length = lengthAt(bytes, at);
    const type = bytes[at + 3] ?? 0;
    const flags = bytes[at + 4] ?? 0;
    const streamId = readId(bytes, at + 5);
    const start = at + frameHeadBytes;
    if (type !== frameType.data) {
      this.#events.onFrame(type, flags, streamId, bytes, start, start + length);
      return start + length;
    }
    const isPadded = (flags & flagPadded) !== 0;
    this.#paddingLeft = isPadded ? (bytes[start] ?? 0) : 0;
    this.#dataLeft = length - this.#paddingLeft - (isPadded ? 1 : 0);
    if (this.#dataLeft < 0)
      throw new Http2Violation(errorCode.protocolError, "a frame with too much padding");
    this.#isInData = true;
    this.#events.onDataFrame(streamId, flags, length);
    const dataStart = at + needed;
    // An empty frame ends here, because no further bytes will end it.
    return this.#dataLeft + this.#paddingLeft > 0 ? dataStart : this.#endData(dataStart);
  }

  /** Returns how many bytes `#readFrame` needs: of DATA the head and padding length, of other frames all. */
  #neededAt(bytes: Buffer, at: number, available: number): number {
    if (available < frameHeadBytes) return frameHeadBytes;
    const length = lengthAt(bytes, at);
    if (length > defaultFrameBytes) {
      const reason = `a frame of ${length} bytes, where ${defaultFrameBytes} are allowed`;
      throw new Http2Violation(errorCode.frameSizeError, reason);
    }
    if (bytes[at + 3] !== frameType.data) return frameHeadBytes + length;
    const isPadded = ((bytes[at + 4] ?? 0) & flagPadded) !== 0;
    if (!isPadded) return frameHeadBytes;
    if (length === 0) throw new Http2Violation(errorCode.frameSizeError, "padding in a frame of 0 bytes");
    return frameHeadBytes + 1;
  }

  #readData(bytes: Buffer, at: number): number {
    const dataEnd = Math.min(bytes.length, at + this.#dataLeft);
    if (dataEnd > at) {
      this.#dataLeft -= dataEnd - at;
      this.#events.onData(dataEnd === bytes.length ? restOf(bytes, at) : bytes.subarray(at, dataEnd));
    }
    const end = Math.min(bytes.length, dataEnd + this.#paddingLeft);
    this.#paddingLeft -= end - dataEnd;
    return this.#dataLeft + this.#paddingLeft > 0 ? end : this.#endData(end);
  }

  #endData(at: number): number {
    this.#isInData = false;
    if (!this.#isStopped) this.#events.onDataEnd();
    return at;
  }

  /** Completes the beginning of a frame, taking no more bytes than it needs. */
  #fillPartial(bytes: Buffer, at: number): number {
    const before = this.#partialBytes;
    const needed = this.#neededAt(this.#partial, 0, before);
    const end = Math.min(bytes.length, at + needed - before);
    this.#keep(bytes, at, end);
    const filled = this.#partialBytes;
    if (this.#neededAt(this.#partial, 0, filled) <= filled) {
      this.#partialBytes = 0;
      this.#readFrame(this.#partial, 0, filled);
    }
    return end;
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const length = this.#partialBytes + end - start;
    if (length > this.#partial.length) {
      const larger = Buffer.allocUnsafe(Math.max(64, 2 * this.#partial.length, length));
      larger.set(this.#partial.subarray(0, this.#partialBytes));
      this.#partial = larger;
    }
    this.#partial.set(bytes.subarray(start, end), this.#partialBytes);
    this.#partialBytes = length;
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}
