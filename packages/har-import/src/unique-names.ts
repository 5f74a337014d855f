export interface UniqueNamesOptions {
  /** Between a name and its number. @default none */
  readonly separator?: string;
  /** Names that must not be used. */
  readonly taken?: Iterable<string>;
  /** True to treat names that differ only in case as the same. @default false */
  readonly ignoresCase?: boolean;
}

/** Makes names unique: appends the first free number to a name that is taken. */
export class UniqueNames {
  readonly #separator: string;
  readonly #ignoresCase: boolean;
  readonly #taken: Set<string>;
  /** The last number used for each name: counting from the start each time would take quadratic time. */
  readonly #numbers = new Map<string, number>();
  /** Names of the enclosing scopes. */
  readonly #outer: readonly UniqueNames[];

  constructor(
    { separator = "", taken = [], ignoresCase = false }: UniqueNamesOptions = {},
    outer: readonly UniqueNames[] = [],
  ) {
    this.#outer = outer;
    this.#separator = separator;
    this.#ignoresCase = ignoresCase;
    this.#taken = new Set(Array.from(taken, (name) => this.#keyOf(name)));
  }

  /** Returns the preferred name, with a number appended if it is taken. */
  take(preferred: string): string {
    const preferredKey = this.#keyOf(preferred);
    let number = this.#lastNumber(preferredKey);
    let name = preferred;
    while (this.#has(this.#keyOf(name))) name = `${preferred}${this.#separator}${++number}`;
    this.#numbers.set(preferredKey, number);
    this.#taken.add(this.#keyOf(name));
    return name;
  }

  /**
   * Returns the names of an inner scope: different from those of the scopes around it, but not from those of
   * its siblings.
   */
  inner(): UniqueNames {
    const options = { separator: this.#separator, ignoresCase: this.#ignoresCase };
    return new UniqueNames(options, [this, ...this.#outer]);
  }

  #keyOf(name: string): string {
    return this.#ignoresCase ? name.toLowerCase() : name;
  }

  #has(key: string): boolean {
    return [this, ...this.#outer].some((names) => names.#taken.has(key));
  }

  #lastNumber(preferredKey: string): number {
    return Math.max(1, ...[this, ...this.#outer].map((names) => names.#numbers.get(preferredKey) ?? 1));
  }
}
