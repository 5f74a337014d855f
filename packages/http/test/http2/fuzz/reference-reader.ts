import { HpackDecoder } from "../../../src/hpack/hpack-decoder.ts";
import { splitFrames, type ReceivedFrame } from "../raw-frames.ts";

/** The content of a stream: the lists of fields, and the bytes of its data up to its end. */
export interface CarriedStream {
  readonly lists: (readonly string[])[];
  data: string;
  hasEnded: boolean;
}

/** The widest windows that a server ever gave. */
export interface GivenWindows {
  connection: number;
  initial: number;
  readonly streams: Map<number, number>;
}

const defaultWindow = 65_535;

/**
 * Reads all bytes that a server sent, slowly and leniently: a client can have understood this much of them at
 * most. It sees all frames at once, and keeps no state but what it has read.
 */
export class ReferenceReader {
  readonly streams = new Map<number, CarriedStream>();
  readonly windows: GivenWindows = { connection: defaultWindow, initial: defaultWindow, streams: new Map() };
  readonly #decoder: HpackDecoder<readonly string[]> = new HpackDecoder({
    maxListBytes: 2 ** 20,
    maxFields: 10_000,
    interpret: (fields) => fields,
  });
  /** A field block that continues in the next frame. */
  #open: { readonly frame: ReceivedFrame; readonly pieces: Buffer[] } | null = null;
  #isReadable = true;

  constructor(bytes: Buffer) {
    const { frames, rest } = splitFrames(bytes);
    for (const received of frames) {
      if (this.#isReadable) this.#read(received);
    }
    if (this.#isReadable) this.#readBeginning(rest);
  }

  stream(id: number): CarriedStream {
    const known = this.streams.get(id) ?? { lists: [], data: "", hasEnded: false };
    this.streams.set(id, known);
    return known;
  }

  /** Reads an incomplete DATA frame: clients pass data on before its frame is complete. */
  #readBeginning(bytes: Buffer): void {
    if (bytes.length < 9 || bytes.readUInt8(3) !== 0) return;
    const isPadded = (bytes.readUInt8(4) & 8) !== 0;
    const start = isPadded ? 10 : 9;
    const padding = isPadded ? (bytes[9] ?? 0) : 0;
    const end = Math.max(start, 9 + bytes.readUIntBE(0, 3) - padding);
    const stream = this.stream(bytes.readUInt32BE(5) & 0x7fff_ffff);
    if (!stream.hasEnded) stream.data += bytes.toString("latin1", start, end);
  }

  #read(received: ReceivedFrame): void {
    const { type, flags, streamId, payload } = received;
    if (type === "DATA") {
      const stream = this.stream(streamId);
      if (!stream.hasEnded) stream.data += content(received).toString("latin1");
      if ((flags & 1) !== 0) stream.hasEnded = true;
    } else if (type === "HEADERS") {
      this.#open = { frame: received, pieces: [withoutPriority(received)] };
    } else if (type === "CONTINUATION") this.#open?.pieces.push(payload);
    else if (type === "WINDOW_UPDATE" && payload.length === 4) {
      this.#widen(streamId, payload.readUInt32BE() & 0x7fff_ffff);
    } else if (type === "SETTINGS") this.#readSettings(payload);
    else if (type === "RST_STREAM") this.stream(streamId).hasEnded = true;
    if ((type === "HEADERS" || type === "CONTINUATION") && (flags & 4) !== 0) this.#close();
  }

  #close(): void {
    if (this.#open === null) return;
    const { frame, pieces } = this.#open;
    this.#open = null;
    const block = Buffer.concat(pieces);
    const stream = this.stream(frame.streamId);
    try {
      stream.lists.push(this.#decoder.decode(block, 0, block.length) ?? []);
    } catch {
      // No later block can be decoded either.
      this.#isReadable = false;
    }
    if ((frame.flags & 1) !== 0) stream.hasEnded = true;
  }

  #widen(streamId: number, increment: number): void {
    if (streamId === 0) this.windows.connection += increment;
    else this.windows.streams.set(streamId, (this.windows.streams.get(streamId) ?? 0) + increment);
  }

  #readSettings(payload: Buffer): void {
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      if (payload.readUInt16BE(at) === 4) {
        this.windows.initial = Math.max(this.windows.initial, payload.readUInt32BE(at + 2));
      }
    }
  }
}

/** Returns the payload without its padding. */
function content({ flags, payload }: ReceivedFrame): Buffer {
  if ((flags & 8) === 0) return payload;
  return payload.subarray(1, Math.max(1, payload.length - (payload[0] ?? 0)));
}

function withoutPriority(received: ReceivedFrame): Buffer {
  const block = content(received);
  return (received.flags & 32) === 0 ? block : block.subarray(5);
}
