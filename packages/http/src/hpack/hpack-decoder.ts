import { BlockReader } from "./block-reader.ts";
import { defaultTableBytes, DynamicTable, firstDynamicIndex, staticFields } from "./tables.ts";
import { Field } from "./field.ts";
import { HpackError } from "./hpack-error.ts";

export interface HpackDecoderOptions<T> {
  /** The largest list of fields that is read, in bytes: names, values, and 32 for each field. */
  readonly maxListBytes: number;
  /** The most fields that are read in a list. */
  readonly maxFields: number;
  /** The SETTINGS_HEADER_TABLE_SIZE that was sent to the peer. @default 4096 */
  readonly tableBytes?: number;
  /** Converts a list (names and values in turn) to the result of `decode`. Skipped for repeated blocks. */
  readonly interpret: (fields: readonly string[]) => T;
}

/**
 * Decodes the header blocks of one connection, in the order in which they arrived (RFC 7541). It is strict:
 * everything that the RFC calls an error is rejected. It caches the last block, so that decoding an equal one
 * costs no more than comparing its bytes.
 */
export class HpackDecoder<T> {
  readonly #options: HpackDecoderOptions<T>;
  readonly #maxTableBytes: number;
  readonly #table: DynamicTable;
  #last: DecodedBlock<T> | null = null;
  // State of the block that is being decoded:
  #fields: string[] = [];
  #listBytes = 0;
  #isTooLarge = false;
  #inserted: Field[] = [];
  #usesTable = false;

  constructor(options: HpackDecoderOptions<T>) {
    this.#options = options;
    this.#maxTableBytes = options.tableBytes ?? defaultTableBytes;
    this.#table = new DynamicTable(this.#maxTableBytes);
  }

  /**
   * Decodes one whole block and returns the result of `interpret`: the same object for consecutive equal
   * blocks. The bytes may change afterwards. Returns null if the list exceeds the limits; the block still
   * updates the table, so that the connection can go on.
   * @throws {HpackError} if the block is malformed. The connection must end; the decoder must not be used again
   */
  decode(bytes: Buffer, start: number, end: number): T | null {
    const last = this.#last;
    if (last?.isRepeatedBy(bytes, start, end, this.#table.version) === true) {
      for (const field of last.inserted) this.#table.insert(field);
      return last.result;
    }
    return this.#decodeAnew(bytes, start, end);
  }

  #decodeAnew(bytes: Buffer, start: number, end: number): T | null {
    this.#begin();
    const reader = new BlockReader(bytes, start, end);
    const hasUpdates = this.#readSizeUpdates(reader);
    const { version } = this.#table;
    while (!reader.isAtEnd) this.#readField(reader);
    if (this.#isTooLarge) return null;
    const result = this.#options.interpret(this.#fields);
    // A block with size updates is not cached: repeating it would have to repeat the updates.
    this.#last = hasUpdates
      ? null
      : new DecodedBlock({
          bytes: Buffer.from(bytes.subarray(start, end)),
          result,
          inserted: this.#inserted,
          tableVersion: this.#usesTable ? version : null,
        });
    return result;
  }

  #begin(): void {
    this.#fields = [];
    this.#inserted = [];
    this.#listBytes = 0;
    this.#isTooLarge = false;
    this.#usesTable = false;
  }

  #readSizeUpdates(reader: BlockReader): boolean {
    let hasUpdates = false;
    while (!reader.isAtEnd && (reader.peek() & 0xe0) === 0x20) {
      const maxBytes = reader.integer(5);
      if (maxBytes > this.#maxTableBytes) {
        throw new HpackError(`a table size of ${maxBytes} where ${this.#maxTableBytes} is allowed`);
      }
      this.#table.resize(maxBytes);
      hasUpdates = true;
    }
    return hasUpdates;
  }

  #readField(reader: BlockReader): void {
    const first = reader.peek();
    if (first >= 0x80) this.#add(this.#fieldAt(reader.integer(7)));
    else if (first >= 0x40) {
      const field = this.#readLiteral(reader, 6);
      this.#table.insert(field);
      this.#inserted.push(field);
      this.#add(field);
    } else if (first >= 0x20) throw new HpackError("a change of the table size within a block");
    else this.#add(this.#readLiteral(reader, 4));
  }

  #readLiteral(reader: BlockReader, prefixBits: number): Field {
    const index = reader.integer(prefixBits);
    const name = index === 0 ? reader.string() : this.#fieldAt(index).name;
    return new Field(name, reader.string());
  }

  #fieldAt(index: number): Field {
    const isStatic = index < firstDynamicIndex;
    if (!isStatic) this.#usesTable = true;
    const field = isStatic ? staticFields[index - 1] : this.#table.at(index - firstDynamicIndex);
    if (field === undefined) throw new HpackError(`no field has the index ${index}`);
    return field;
  }

  /** Adds to the list until it is too large, so that a small block cannot expand without limit. */
  #add(field: Field): void {
    if (this.#isTooLarge) return;
    this.#listBytes += field.sizeBytes;
    this.#fields.push(field.name, field.value);
    const { maxListBytes, maxFields } = this.#options;
    this.#isTooLarge = this.#listBytes > maxListBytes || this.#fields.length > 2 * maxFields;
  }
}

interface DecodedBlockInfo<T> {
  readonly bytes: Buffer;
  /** The interpreted fields of the block. */
  readonly result: T;
  /** Fields that the block inserts into the table, each time it arrives. */
  readonly inserted: readonly Field[];
  /** The version of the table that it was decoded with; null if it does not use the dynamic table. */
  readonly tableVersion: number | null;
}

/** A decoded block, cached for an equal one. */
class DecodedBlock<T> {
  readonly #bytes: Buffer;
  readonly #tableVersion: number | null;
  readonly result: T;
  readonly inserted: readonly Field[];

  constructor({ bytes, result, inserted, tableVersion }: DecodedBlockInfo<T>) {
    this.#bytes = bytes;
    this.result = result;
    this.inserted = inserted;
    this.#tableVersion = tableVersion;
  }

  /** Returns true if these bytes mean the same fields and insertions. */
  isRepeatedBy(bytes: Buffer, start: number, end: number, tableVersion: number): boolean {
    const own = this.#bytes;
    if (own.length !== end - start) return false;
    if (this.#tableVersion !== null && this.#tableVersion !== tableVersion) return false;
    // From the end: the first fields of two responses seldom differ.
    for (let position = own.length - 1; position >= 0; position--) {
      if (own[position] !== bytes[start + position]) return false;
    }
    return true;
  }
}
