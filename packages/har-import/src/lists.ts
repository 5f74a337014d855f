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
