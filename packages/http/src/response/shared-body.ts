import { charsetOf, decodeBody } from "./decode-body.ts";

/** A response's body as received: its own pieces, or a body shared with other responses. */
export type ReceivedBody = readonly Uint8Array[] | SharedBody;

/** Counts the memory of shared bodies. */
export interface SharedMemory {
  /** Returns true if `body` may keep this many more bytes. */
  grow(body: SharedBody, bytes: number): boolean;
}

interface Decoded {
  readonly encoding: string;
  readonly bytes: Uint8Array;
}

interface DecodedText {
  readonly encoding: string;
  readonly contentType: string;
  readonly text: string;
  /** The number of bytes that the text was decoded from. */
  readonly decodedBytes: number;
}

/** Up to this many bytes are compared in JavaScript: a call into Node takes longer. */
const fewBytes = 64;

/** The most bytes that V8 uses per character. */
const bytesPerCharacter = 2;

/**
 * A body whose memory many responses share, because they received the same bytes. Nothing writes to it, and a
 * test that reads bytes gets a copy. Strings are immutable, so all responses share the same text.
 */
export class SharedBody {
  readonly wire: Buffer;
  /** The size in bytes, including decoded forms. */
  heldBytes: number;
  #memory: SharedMemory | null;
  #decoded: Decoded | null = null;
  #text: DecodedText | null = null;

  /** `wire`: the bytes as received, never written to again. Without `memory`, no decoded form is kept. */
  constructor(wire: Buffer, memory: SharedMemory | null = null) {
    this.wire = wire;
    this.heldBytes = wire.length;
    this.#memory = memory;
  }

  /** Returns true if these bytes are at this position. */
  hasAt(position: number, bytes: Uint8Array): boolean {
    const end = position + bytes.length;
    if (end > this.wire.length) return false;
    if (bytes.length > fewBytes) return this.wire.compare(bytes, 0, bytes.length, position, end) === 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] !== this.wire[position + at]) return false;
    return true;
  }

  /** Returns true if the pieces together are equal to this body. */
  isMadeOf(pieces: readonly Uint8Array[]): boolean {
    let position = 0;
    for (const piece of pieces) {
      if (!this.hasAt(position, piece)) return false;
      position += piece.length;
    }
    return position === this.wire.length;
  }

  /** Returns a decoded copy, which the test may write to. @throws {DecodingFailure} */
  copyDecoded(encoding: string): Uint8Array {
    return joined([this.#decode(encoding)]);
  }

  /** @throws {DecodingFailure} */
  readText(encoding: string, contentType: string): DecodedText {
    const known = this.#text;
    if (known?.encoding === encoding && known.contentType === contentType) return known;
    const bytes = this.#decode(encoding);
    const text = new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
    const read = { encoding, contentType, text, decodedBytes: bytes.length };
    if (known === null && this.#grow(text.length * bytesPerCharacter)) this.#text = read;
    return read;
  }

  get isReleased(): boolean {
    return this.#memory === null;
  }

  /** Drops the decoded forms. Its memory is no longer counted, so it keeps none from now on. */
  release(): void {
    this.#memory = null;
    this.#decoded = null;
    this.#text = null;
  }

  #decode(encoding: string): Uint8Array {
    const known = this.#decoded;
    if (known?.encoding === encoding) return known.bytes;
    const bytes = decodeBody(this.wire, encoding);
    if (bytes !== this.wire && known === null && this.#grow(bytes.length))
      this.#decoded = { encoding, bytes };
    return bytes;
  }

  #grow(bytes: number): boolean {
    if (this.#memory?.grow(this, bytes) !== true) return false;
    this.heldBytes += bytes;
    return true;
  }
}

/** Returns all bytes in memory of their own. May copy them: Node's small buffers share memory. */
export function inOwnMemory(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces;
  const isOwn = pieces.length === 1 && Buffer.isBuffer(only) && only.buffer.byteLength === only.length;
  return isOwn ? only : joined(pieces);
}

export function joined(pieces: readonly Uint8Array[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    whole.set(piece, position);
    position += piece.length;
  }
  return whole;
}
