import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { HpackError } from "../hpack/hpack-error.ts";
import { errorCode, Http2Violation } from "./error-codes.ts";
import type { FloodGuard } from "./flood-guard.ts";
import type { FrameEvents } from "./frame-reader.ts";
import {
  flagAck,
  flagEndHeaders,
  flagEndStream,
  flagPadded,
  flagPriority,
  frameType,
  pingBytes,
  readId,
  readWord,
} from "./frames.ts";
import { readFields, responseLimits, tooLarge, type ReceivedFields } from "./response-fields.ts";
import { PeerSettings } from "./settings.ts";
import type { Goaway } from "./stream-failure.ts";

/** Receives the events of single streams. Each method may throw an Http2Violation. */
export interface StreamEvents {
  /** A block of fields: a head, an interim one, or trailers. */
  onFields(streamId: number, fields: ReceivedFields, endsStream: boolean): void;
  /** Data begins; `length` counts for flow control. */
  onDataFrame(streamId: number, length: number, endsStream: boolean): void;
  onData(bytes: Buffer): void;
  onDataEnd(): void;
  onReset(streamId: number, code: number): void;
}

/** Receives the events of the connection. Each method may throw an Http2Violation. */
export interface ConnectionEvents {
  onSettings(settings: PeerSettings): void;
  onPing(opaque: Buffer, isReply: boolean): void;
  onGoaway(goaway: Goaway): void;
  /** Stream 0 stands for the connection. */
  onWindowUpdate(streamId: number, increment: number): void;
}

/** Parses the frames of a server, and rejects those that violate RFC 9113. */
export class Incoming implements FrameEvents {
  readonly #streams: StreamEvents;
  readonly #connection: ConnectionEvents;
  readonly #floods: FloodGuard;
  readonly #decoder: HpackDecoder<ReceivedFields> = new HpackDecoder({
    maxListBytes: responseLimits.bytes,
    maxFields: responseLimits.fields,
    interpret: readFields,
  });
  readonly #settings: PeerSettings = new PeerSettings();
  /** A block of fields that continues in the next frame. */
  #block: HeaderBlock | null = null;
  #areOurSettingsKnown = false;
  /** True once the SETTINGS have arrived with which a server begins. */
  hasBegun = false;

  constructor(streams: StreamEvents, connection: ConnectionEvents, floods: FloodGuard) {
    this.#streams = streams;
    this.#connection = connection;
    this.#floods = floods;
  }

  onFrame(type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    this.#expect(type, flags);
    switch (type) {
      case frameType.headers:
        this.#readHeaders(flags, streamId, bytes, start, end);
        break;
      case frameType.continuation:
        this.#readContinuation(flags, streamId, bytes.subarray(start, end));
        break;
      case frameType.rstStream:
        needsStream("RST_STREAM", streamId);
        needsLength("RST_STREAM", end - start, 4);
        this.#streams.onReset(streamId, readWord(bytes, start));
        break;
      case frameType.settings:
        this.#readSettings(flags, streamId, bytes, start, end);
        break;
      case frameType.ping:
        needsConnection("PING", streamId);
        needsLength("PING", end - start, pingBytes);
        this.#floods.count("PING");
        this.#connection.onPing(bytes.subarray(start, end), (flags & flagAck) !== 0);
        break;
      case frameType.goaway:
        needsConnection("GOAWAY", streamId);
        if (end - start < 8) throw wrongSize("GOAWAY", end - start);
        this.#connection.onGoaway({ lastStreamId: readId(bytes, start), code: readWord(bytes, start + 4) });
        break;
      case frameType.windowUpdate:
        needsLength("WINDOW_UPDATE", end - start, 4);
        this.#connection.onWindowUpdate(streamId, readId(bytes, start));
        break;
      case frameType.pushPromise:
        throw new Http2Violation(errorCode.protocolError, "a PUSH_PROMISE, which SETTINGS had refused");
      case frameType.priority:
        needsStream("PRIORITY", streamId);
        needsLength("PRIORITY", end - start, 5);
        this.#floods.count("PRIORITY");
        break;
      default:
        this.#floods.count(`a frame of the unknown type ${type}`);
    }
  }

  onDataFrame(streamId: number, flags: number, length: number): void {
    this.#expect(frameType.data, flags);
    needsStream("DATA", streamId);
    const endsStream = (flags & flagEndStream) !== 0;
    if (length === 0 && !endsStream) this.#floods.count("DATA without data");
    this.#streams.onDataFrame(streamId, length, endsStream);
  }

  onData(bytes: Buffer): void {
    this.#streams.onData(bytes);
  }

  onDataEnd(): void {
    this.#streams.onDataEnd();
  }

  /** Checks the order of frames: SETTINGS first, and none between the frames of a block. */
  #expect(type: number, flags: number): void {
    if (!this.hasBegun && (type !== frameType.settings || (flags & flagAck) !== 0)) {
      throw new Http2Violation(errorCode.protocolError, "a frame before the first SETTINGS");
    }
    if ((this.#block !== null) !== (type === frameType.continuation)) {
      const reason =
        this.#block === null ? "a CONTINUATION of nothing" : "a frame in the middle of a head that goes on";
      throw new Http2Violation(errorCode.protocolError, reason);
    }
  }

  #readHeaders(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    needsStream("HEADERS", streamId);
    let blockStart = start;
    let blockEnd = end;
    if ((flags & flagPadded) !== 0) {
      blockEnd -= bytes[start] ?? 0;
      blockStart += 1;
    }
    // Skips the priority, which is not used.
    if ((flags & flagPriority) !== 0) blockStart += 5;
    if (blockStart > end) throw wrongSize("HEADERS", end - start);
    if (blockStart > blockEnd)
      throw new Http2Violation(errorCode.protocolError, "a frame with too much padding");
    const endsStream = (flags & flagEndStream) !== 0;
    if ((flags & flagEndHeaders) !== 0) this.#decode(streamId, endsStream, bytes, blockStart, blockEnd);
    else {
      this.#block = new HeaderBlock(streamId, endsStream);
      this.#block.add(bytes.subarray(blockStart, blockEnd));
    }
  }

  #readContinuation(flags: number, streamId: number, piece: Buffer): void {
    const block = this.#block;
    if (block?.streamId !== streamId) {
      throw new Http2Violation(errorCode.protocolError, "a CONTINUATION on another stream");
    }
    block.add(piece);
    if ((flags & flagEndHeaders) === 0) return;
    this.#block = null;
    const whole = block.whole();
    this.#decode(streamId, block.endsStream, whole, 0, whole.length);
  }

  #decode(streamId: number, endsStream: boolean, bytes: Buffer, start: number, end: number): void {
    this.#streams.onFields(streamId, this.#fieldsOf(bytes, start, end), endsStream);
  }

  #fieldsOf(bytes: Buffer, start: number, end: number): ReceivedFields {
    try {
      return this.#decoder.decode(bytes, start, end) ?? tooLarge;
    } catch (error) {
      if (!(error instanceof HpackError)) throw error;
      throw new Http2Violation(errorCode.compressionError, `a head that is not HPACK: ${error.message}`);
    }
  }

  #readSettings(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    needsConnection("SETTINGS", streamId);
    if ((flags & flagAck) !== 0) {
      needsLength("SETTINGS as a reply", end - start, 0);
      if (this.#areOurSettingsKnown) {
        throw new Http2Violation(errorCode.protocolError, "a second reply to SETTINGS that were sent once");
      }
      this.#areOurSettingsKnown = true;
      return;
    }
    this.#floods.count("SETTINGS");
    this.#settings.read(bytes, start, end);
    this.hasBegun = true;
    this.#connection.onSettings(this.#settings);
  }
}

function wrongSize(name: string, length: number): Http2Violation {
  return new Http2Violation(errorCode.frameSizeError, `${name} of ${length} bytes`);
}

function needsLength(name: string, length: number, needed: number): void {
  if (length !== needed) throw wrongSize(name, length);
}

function needsStream(name: string, streamId: number): void {
  if (streamId === 0) throw new Http2Violation(errorCode.protocolError, `${name} for no stream`);
}

function needsConnection(name: string, streamId: number): void {
  if (streamId !== 0) throw new Http2Violation(errorCode.protocolError, `${name} for a stream`);
}

/**
 * Longer than any block within the limits: a block that exceeds them is still decoded, so that the connection
 * goes on.
 */
const longestBlock = 256 * 1024;
const maxFrames = 16;

/** A block of fields in several frames: HEADERS, then CONTINUATION (RFC 9113, section 6.10). */
class HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(streamId: number, endsStream: boolean) {
    this.streamId = streamId;
    this.endsStream = endsStream;
  }

  /** @throws {Http2Violation} if it becomes too long */
  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > longestBlock || this.#pieces.length >= maxFrames) {
      const reason = `a head of more than ${longestBlock} bytes or ${maxFrames} frames`;
      throw new Http2Violation(errorCode.enhanceYourCalm, reason);
    }
    // The memory of the piece is reused after this call.
    this.#pieces.push(Buffer.from(piece));
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
