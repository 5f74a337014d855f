export interface UniqueNamesOptions {
  /** Between a name and its number. @default none */
  readonly separator?: string;
  /** Names that are not to be given. */
  readonly taken?: Iterable<string>;
  /** True to treat names that differ only in case as the same. @default false */
  readonly ignoresCase?: boolean;
}

/** Gives each name once: where one is taken already, the first number that makes it another is added. */
export class UniqueNames {
  readonly #separator: string;
  readonly #ignoresCase: boolean;
  readonly #taken: Set<string>;
  /** The last number of each wish: to count from the start each time would take the square of the time. */
  readonly #numbers = new Map<string, number>();
  /** Names of the places around this one. */
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

  /** The name that is wished for, or one like it. */
  take(wished: string): string {
    const wish = this.#keyOf(wished);
    let number = this.#lastNumber(wish);
    let name = wished;
    while (this.#has(this.#keyOf(name))) name = `${wished}${this.#separator}${++number}`;
    this.#numbers.set(wish, number);
    this.#taken.add(this.#keyOf(name));
    return name;
  }

  /** Names of an inner place: none that is taken around it, but others there than in the next such place. */
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

  #lastNumber(wish: string): number {
    return Math.max(1, ...[this, ...this.#outer].map((names) => names.#numbers.get(wish) ?? 1));
  }
}
