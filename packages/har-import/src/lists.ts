/** Returns the last item of a sorted list that is early; the early ones come first. */
export function lastEarly<Item>(sorted: readonly Item[], isEarly: (item: Item) => boolean): Item | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && isEarly(item)) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/** A list of items for each key. */
export class Lists<Key, Item> {
  readonly #lists = new Map<Key, Item[]>();

  add(key: Key, item: Item): void {
    const others = this.#lists.get(key);
    if (others === undefined) this.#lists.set(key, [item]);
    else others.push(item);
  }

  has(key: Key): boolean {
    return this.#lists.has(key);
  }

  values(): Iterable<readonly Item[]> {
    return this.#lists.values();
  }

  of(key: Key): readonly Item[] {
    return this.#lists.get(key) ?? [];
  }
}
