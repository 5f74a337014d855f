import type { Field } from "./field.ts";

export interface DecodedBlockFacts<T> {
  readonly bytes: Buffer;
  /** The interpreted fields of the block. */
  readonly result: T;
  /** Fields that the block adds to the table, each time it comes. */
  readonly inserted: readonly Field[];
  /** The version of the table that it was decoded with; null if it uses nothing of the dynamic table. */
  readonly tableVersion: number | null;
}

/** A block that was decoded, so that an equal one need not be. */
export class DecodedBlock<T> {
  readonly #bytes: Buffer;
  readonly #tableVersion: number | null;
  readonly result: T;
  readonly inserted: readonly Field[];

  constructor({ bytes, result, inserted, tableVersion }: DecodedBlockFacts<T>) {
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
