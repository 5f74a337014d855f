import { Field } from "./field.ts";

/** The table size in bytes that both sides assume until it is changed (RFC 9113, section 6.5.2). */
export const defaultTableBytes = 4096;

/** Most connections see fewer different fields than this; the ring doubles if there are more. */
const initialSlots = 16;

/** The dynamic table of RFC 7541, section 2.3.2: newest field first; the oldest are evicted to make room. */
export class DynamicTable {
  /** A ring, whose length is a power of two. */
  #slots: (Field | undefined)[] = new Array<Field | undefined>(initialSlots).fill(undefined);
  /** The slot that the next field will take. */
  #next = 0;
  #count = 0;
  #sizeBytes = 0;
  #maxBytes: number;
  /** Changes whenever an index may refer to a different field. */
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

  /** Returns the field at this position, 0 for the newest; undefined if there is none. */
  at(position: number): Field | undefined {
    if (position >= this.#count) return undefined;
    return this.#slots[(this.#next - 1 - position) & (this.#slots.length - 1)];
  }

  /** Returns the position of a field with this name and value; -1 if there is none. */
  find(name: string, value: string): number {
    for (let position = 0; position < this.#count; position++) {
      const field = this.at(position);
      if (field?.value === value && field.name === name) return position;
    }
    return -1;
  }

  /** Returns the position of the newest field with this name; -1 if there is none. */
  findName(name: string): number {
    for (let position = 0; position < this.#count; position++) {
      if (this.at(position)?.name === name) return position;
    }
    return -1;
  }

  /** Inserts a field, and evicts others to make room. A field larger than the table empties it. */
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

/** RFC 7541, appendix A, from index 1 on. */
const table = `:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|\
:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|\
accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|\
content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|\
cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|\
last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|\
server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`;

/** The fields of the static table; the one with index 1 comes first. */
export const staticFields: readonly Field[] = table.split("|").map((entry) => {
  const [name = "", ...value] = entry.split(" ");
  return new Field(name, value.join(" "));
});

/** The index of the first entry of the dynamic table. */
export const firstDynamicIndex: number = staticFields.length + 1;

const firstOfName = new Map<string, number>();
for (const [position, { name }] of staticFields.entries()) {
  if (!firstOfName.has(name)) firstOfName.set(name, position + 1);
}

/** Returns the index of the first field with this name; 0 if there is none. */
export function findStaticName(name: string): number {
  return firstOfName.get(name) ?? 0;
}

/** Returns the index of the field with this name and value, given the name's first index; 0 if none. */
export function findStaticField(firstIndex: number, name: string, value: string): number {
  if (firstIndex === 0) return 0;
  for (let index = firstIndex; staticFields[index - 1]?.name === name; index++) {
    if (staticFields[index - 1]?.value === value) return index;
  }
  return 0;
}
