/** An object with an odd id that is larger than all before. */
export interface Numbered {
  readonly id: number;
}

const fewestPlaces = 8;

/** A connection's open streams by id: a hash table with open addressing; consecutive ids are adjacent. */
export class StreamTable<T extends Numbered> {
  #places: (T | null)[] = emptyPlaces(fewestPlaces);
  size = 0;

  get(id: number): T | null {
    const places = this.#places;
    const mask = places.length - 1;
    for (let at = (id >>> 1) & mask; ; at = (at + 1) & mask) {
      const found = places[at] ?? null;
      if (found === null || found.id === id) return found;
    }
  }

  add(stream: T): void {
    if (2 * (this.size + 1) > this.#places.length) this.#grow();
    this.#put(stream);
    this.size++;
  }

  /** Returns false if it is not there. */
  delete(id: number): boolean {
    const places = this.#places;
    const mask = places.length - 1;
    let hole = (id >>> 1) & mask;
    for (let found = places[hole] ?? null; found?.id !== id; found = places[hole] ?? null) {
      if (found === null) return false;
      hole = (hole + 1) & mask;
    }
    // Moves up the streams that were placed later because this place was taken.
    for (let at = (hole + 1) & mask; ; at = (at + 1) & mask) {
      const next = places[at] ?? null;
      if (next === null) break;
      const preferred = (next.id >>> 1) & mask;
      if (((at - preferred) & mask) < ((at - hole) & mask)) continue;
      places[hole] = next;
      hole = at;
    }
    places[hole] = null;
    this.size--;
    return true;
  }

  /** Returns all streams in a new array, in no particular order. */
  all(): T[] {
    return this.#places.filter((stream) => stream !== null);
  }

  find(matches: (stream: T) => boolean): T | null {
    return this.#places.find((stream) => stream !== null && matches(stream)) ?? null;
  }

  #put(stream: T): void {
    const mask = this.#places.length - 1;
    let at = (stream.id >>> 1) & mask;
    while (this.#places[at] !== null) at = (at + 1) & mask;
    this.#places[at] = stream;
  }

  #grow(): void {
    const streams = this.all();
    this.#places = emptyPlaces(2 * this.#places.length);
    for (const stream of streams) this.#put(stream);
  }
}

function emptyPlaces<T>(count: number): (T | null)[] {
  return Array.from({ length: count }, () => null);
}
