import {
  defaultTableBytes,
  DynamicTable,
  findStaticField,
  findStaticName,
  firstDynamicIndex,
} from "./tables.ts";
import { Field } from "./field.ts";
import { encodeHuffman, huffmanLength } from "./huffman.ts";

/** Fields whose values differ from request to request: in the table they would only evict others. */
const volatile = new Set([
  ":path",
  "content-length",
  "if-modified-since",
  "if-none-match",
  "range",
  "traceparent",
]);
/** Fields with credentials: intermediaries must not store them in a table (RFC 7541, section 7.1.3). */
const secret = new Set(["authorization", "proxy-authorization"]);
/** Shorter cookies could be guessed from the compressed size. nghttp2 has the same limit. */
const shortCookie = 20;

const integerBytes = 6;
/** Two updates of the table's size. */
const longestUpdates = 2 * integerBytes;

const indexed = 0x80;
const insertedLiteral = 0x40;
const sizeUpdate = 0x20;
const neverIndexedLiteral = 0x10;
const plainLiteral = 0;

/** Returns the maximum size of a block of these fields in bytes, whatever the encoder's state. */
export function longestBlock(fields: readonly string[]): number {
  let bytes = longestUpdates;
  for (const text of fields) bytes += text.length + integerBytes;
  return bytes;
}

/**
 * Encodes the header blocks of one connection (RFC 7541), in the order in which they are sent. An array that
 * is passed again is not encoded again, as long as the table has not changed.
 */
export class HpackEncoder {
  readonly #table: DynamicTable = new DynamicTable(defaultTableBytes);
  /** The table size that the next block announces. */
  #requestedBytes = defaultTableBytes;
  /** The smallest size requested since the last block, which must be announced as well. */
  #minBytes = defaultTableBytes;
  #last: readonly string[] | null = null;
  #lastVersion = -1;
  #lastBlock: Uint8Array | null = null;

  /** Sets the peer's limit (SETTINGS_HEADER_TABLE_SIZE). The next block announces the size in use. */
  allowTable(bytes: number): void {
    this.#requestedBytes = Math.min(bytes, defaultTableBytes);
    this.#minBytes = Math.min(this.#minBytes, this.#requestedBytes);
  }

  /**
   * Writes a block of these fields, names and values in turn, and returns the position after it. The target
   * needs `longestBlock(fields)` bytes. The array must not change afterwards.
   */
  encode(fields: readonly string[], target: Buffer, start: number): number {
    const afterUpdates = this.#writeUpdates(target, start);
    const { version } = this.#table;
    const isRepeated = fields === this.#last && version === this.#lastVersion;
    if (isRepeated && this.#lastBlock !== null) {
      target.set(this.#lastBlock, afterUpdates);
      return afterUpdates + this.#lastBlock.length;
    }
    let end = afterUpdates;
    for (let position = 0; position + 1 < fields.length; position += 2) {
      end = this.#writeField(fields[position] ?? "", fields[position + 1] ?? "", target, end);
    }
    // Cached only when an array is passed for the second time: most are passed once.
    this.#lastBlock =
      isRepeated && version === this.#table.version ? Buffer.from(target.subarray(afterUpdates, end)) : null;
    this.#last = fields;
    this.#lastVersion = this.#table.version;
    return end;
  }

  #writeUpdates(target: Buffer, start: number): number {
    const { maxBytes } = this.#table;
    let end = start;
    if (this.#minBytes < Math.min(maxBytes, this.#requestedBytes))
      end = this.#resize(this.#minBytes, target, end);
    if (this.#requestedBytes !== this.#table.maxBytes) end = this.#resize(this.#requestedBytes, target, end);
    this.#minBytes = this.#requestedBytes;
    return end;
  }

  #resize(bytes: number, target: Buffer, start: number): number {
    this.#table.resize(bytes);
    return writeInteger(bytes, sizeUpdate, 5, target, start);
  }

  #writeField(name: string, value: string, target: Buffer, start: number): number {
    const staticName = findStaticName(name);
    if (isSecret(name, value)) {
      return this.#writeLiteral(neverIndexedLiteral, staticName, name, value, target, start);
    }
    const staticIndex = findStaticField(staticName, name, value);
    if (staticIndex > 0) return writeInteger(staticIndex, indexed, 7, target, start);
    if (volatile.has(name)) return this.#writeLiteral(plainLiteral, staticName, name, value, target, start);
    const position = this.#table.find(name, value);
    if (position >= 0) return writeInteger(firstDynamicIndex + position, indexed, 7, target, start);
    const field = new Field(name, value);
    if (field.sizeBytes > this.#table.maxBytes) {
      return this.#writeLiteral(plainLiteral, staticName, name, value, target, start);
    }
    const end = this.#writeLiteral(insertedLiteral, staticName, name, value, target, start);
    this.#table.insert(field);
    return end;
  }

  #writeLiteral(
    kind: number,
    staticName: number,
    name: string,
    value: string,
    target: Buffer,
    start: number,
  ): number {
    const prefixBits = kind === insertedLiteral ? 6 : 4;
    const position = staticName > 0 ? -1 : this.#table.findName(name);
    const nameIndex = position >= 0 ? firstDynamicIndex + position : staticName;
    let end = writeInteger(nameIndex, kind, prefixBits, target, start);
    if (nameIndex === 0) end = writeString(name, target, end);
    return writeString(value, target, end);
  }
}

function isSecret(name: string, value: string): boolean {
  return secret.has(name) || (name === "cookie" && value.length < shortCookie);
}

/** Writes an integer after the bits of `kind` (RFC 7541, section 5.1). */
function writeInteger(
  value: number,
  kind: number,
  prefixBits: number,
  target: Buffer,
  start: number,
): number {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    target[start] = kind | value;
    return start + 1;
  }
  target[start] = kind | mask;
  let end = start + 1;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) target[end++] = (rest & 0x7f) | 0x80;
  target[end++] = rest;
  return end;
}

/** Writes a string, Huffman-encoded if that is shorter. */
function writeString(text: string, target: Buffer, start: number): number {
  const encodedLength = huffmanLength(text);
  if (encodedLength < text.length) {
    return encodeHuffman(text, target, writeInteger(encodedLength, 0x80, 7, target, start));
  }
  const end = writeInteger(text.length, 0, 7, target, start);
  return end + target.write(text, end, "latin1");
}
