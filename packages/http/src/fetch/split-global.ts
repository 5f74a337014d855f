/** The accessors of a replaced global. */
interface Replacement {
  readonly get: () => unknown;
  readonly set: (value: unknown) => void;
}

/**
 * A global that is replaced for the test's code. Exempt code, such as that of a program around the run, still
 * reads and writes the global from before.
 */
export class SplitGlobal {
  readonly #name: string;
  readonly #isExempt: () => boolean;
  #before: PropertyDescriptor | undefined;
  #replacement: Replacement | null = null;

  constructor(name: string, isExempt: () => boolean) {
    this.#name = name;
    this.#isExempt = isExempt;
    this.#before = Object.getOwnPropertyDescriptor(globalThis, name);
  }

  /** Replaces the global, also if other code has redefined it. */
  replace(replacement: Replacement): void {
    this.#replacement = replacement;
    Object.defineProperty(globalThis, this.#name, {
      get: this.#get,
      set: this.#set,
      configurable: true,
      enumerable: this.#before?.enumerable ?? true,
    });
  }

  /** True if other code has redefined the property, and allows this object to do so again. */
  get isRedefined(): boolean {
    const found = Object.getOwnPropertyDescriptor(globalThis, this.#name);
    return found?.configurable === true && found.get !== this.#get;
  }

  /** Restores the global from before, with what exempt code has written to it. */
  restore(): void {
    if (this.#before !== undefined) Object.defineProperty(globalThis, this.#name, this.#before);
  }

  readonly #get = (): unknown => (this.#isExempt() ? this.#read() : this.#replacement?.get());

  readonly #set = (value: unknown): void => {
    if (this.#isExempt()) this.#asBefore(() => Reflect.set(globalThis, this.#name, value));
    else this.#replacement?.set(value);
  };

  /** Reads the value only when asked to: a getter of Node loads its own undici. */
  #read(): unknown {
    if (this.#before === undefined || "value" in this.#before) return this.#before?.value;
    return this.#asBefore(() => Reflect.get(globalThis, this.#name) as unknown);
  }

  /** Puts the global from before in place for a moment, because its accessors may redefine it. */
  #asBefore<Result>(access: () => Result): Result {
    const replaced = Object.getOwnPropertyDescriptor(globalThis, this.#name);
    this.restore();
    try {
      return access();
    } finally {
      this.#before = Object.getOwnPropertyDescriptor(globalThis, this.#name);
      if (replaced !== undefined) Object.defineProperty(globalThis, this.#name, replaced);
    }
  }
}
