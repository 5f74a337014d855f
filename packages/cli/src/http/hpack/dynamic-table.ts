import type { Field } from "./field.ts";

/** The table size in bytes that both sides assume until a setting or a size update says otherwise (RFC 9113, section 6.5.2). */
export const defaultTableBytes = 4096;

/** Most connections see fewer different fields than this; the ring doubles if there are more. */
const initialSlots = 16;

/** The dynamic table of RFC 7541, section 2.3.2: the newest field first, the oldest ones evicted when room is needed. */
export class DynamicTable {
  /** A ring, whose length is a power of two. */
  #slots: (Field | undefined)[] = new Array<Field | undefined>(initialSlots).fill(undefined);
  /** The slot that the next field will take. */
  #next = 0;
  #count = 0;
  #sizeBytes = 0;
  #maxBytes: number;
  /** Changes whenever an index may have changed its meaning. */
  version = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  get count(): number {
    return this.#count;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The field at this position, 0 for the newest; undefined if there is none. */
  at(position: number): Field | undefined {
    if (position >= this.#count) return undefined;
    return this.#slots[(this.#next - 1 - position) & (this.#slots.length - 1)];
  }

  /** The position of a field with this name and value; -1 if there is none. */
  find(name: string, value: string): number {
    for (let position = 0; position < this.#count; position++) {
      const field = this.at(position);
      if (field?.value === value && field.name === name) return position;
    }
    return -1;
  }

  /** The position of the newest field with this name; -1 if there is none. */
  findName(name: string): number {
    for (let position = 0; position < this.#count; position++) {
      if (this.at(position)?.name === name) return position;
    }
    return -1;
  }

  /** Inserts a field and evicts what it displaces. A field larger than the table empties it. */
  insert(field: Field): void {
    this.version++;
    this.#evictUntil(this.#maxBytes - field.sizeBytes);
    if (field.sizeBytes > this.#maxBytes) return;
    if (this.#count === this.#slots.length) this.#grow();
    this.#slots[this.#next] = field;
    this.#next = (this.#next + 1) & (this.#slots.length - 1);
    this.#count++;
    this.#sizeBytes += field.sizeBytes;
  }

  resize(maxBytes: number): void {
    this.version++;
    this.#maxBytes = maxBytes;
    this.#evictUntil(maxBytes);
  }

  #evictUntil(sizeBytes: number): void {
    while (this.#count > 0 && this.#sizeBytes > sizeBytes) {
      const oldest = (this.#next - this.#count) & (this.#slots.length - 1);
      this.#sizeBytes -= this.#slots[oldest]?.sizeBytes ?? 0;
      this.#slots[oldest] = undefined;
      this.#count--;
    }
  }

  #grow(): void {
    const newestLast = Array.from({ length: this.#count }, (_, age) => this.at(this.#count - 1 - age));
    this.#slots = [...newestLast, ...new Array<undefined>(this.#count).fill(undefined)];
    this.#next = this.#count;
  }
}
