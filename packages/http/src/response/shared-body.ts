import { charsetOf, decodeBody } from "./decode-body.ts";

/** A response's body as it came: pieces of its own, or what it shares with other responses. */
export type ReceivedBody = readonly Uint8Array[] | SharedBody;

/** Counts the memory of shared bodies. */
export interface SharedMemory {
  /** Returns true if `body` may keep so many bytes more. */
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
  /** The length of what the text was decoded from. */
  readonly decodedBytes: number;
}

/** Up to so many bytes are compared one by one: a call into Node takes longer. */
const fewBytes = 64;

/** The most that V8 takes for a character. */
const bytesPerCharacter = 2;

/**
 * A body whose memory many responses share, because the same bytes came again. Nothing writes to it, and a test that asks for
 * bytes gets a copy. Nobody can change a text, so all responses have the same one.
 */
export class SharedBody {
  readonly wire: Buffer;
  /** With its decoded forms, in bytes. */
  heldBytes: number;
  #memory: SharedMemory | null;
  #decoded: Decoded | null = null;
  #text: DecodedText | null = null;

  /** `wire`: the bytes as they came, in memory that nobody else writes to. Without `memory`, nothing decoded is kept. */
  constructor(wire: Buffer, memory: SharedMemory | null = null) {
    this.wire = wire;
    this.heldBytes = wire.length;
    this.#memory = memory;
  }

  /** True if these bytes are at this position. */
  hasAt(position: number, bytes: Uint8Array): boolean {
    const end = position + bytes.length;
    if (end > this.wire.length) return false;
    if (bytes.length > fewBytes) return this.wire.compare(bytes, 0, bytes.length, position, end) === 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] !== this.wire[position + at]) return false;
    return true;
  }

  /** True if these pieces are all of it. */
  isMadeOf(pieces: readonly Uint8Array[]): boolean {
    let position = 0;
    for (const piece of pieces) {
      if (!this.hasAt(position, piece)) return false;
      position += piece.length;
    }
    return position === this.wire.length;
  }

  /** A copy without the content encodings, for a test to write to. @throws {DecodingFailure} */
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

  /** Its memory is no longer counted: it keeps nothing decoded from now on. */
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

/** All bytes of some pieces in memory that holds nothing else. They may be copied: Node keeps small buffers in a common one. */
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
