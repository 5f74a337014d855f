/** The user's requests to stop: the first ends the run gracefully, the second at once. */
export class Interruptions {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  /** Resolves when a rule of the test ends the load, which is not an interruption. */
  readonly loadEnded: Promise<void>;
  #signal: string | null = null;
  #isUrgent = false;
  #resolveFirst: () => void = () => undefined;
  #resolveSecond: () => void = () => undefined;
  #resolveLoadCut: () => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#resolveFirst = resolve;
    });
    this.second = new Promise((resolve) => {
      this.#resolveSecond = resolve;
    });
    this.loadEnded = new Promise((resolve) => {
      this.#resolveLoadCut = resolve;
    });
  }

  /** Requests a stop, the second time an immediate one. `signal` names the source. */
  interrupt(signal: string): void {
    if (this.#signal === null) {
      this.#signal = signal;
      this.#resolveFirst();
      return;
    }
    this.#isUrgent = true;
    this.#resolveSecond();
  }

  /** Ends the load at once, by a rule of the test such as `abortOnFail`. */
  endLoad(): void {
    this.#resolveLoadCut();
  }

  /** The first signal; null if there was none. */
  get signal(): string | null {
    return this.#signal;
  }

  get isInterrupted(): boolean {
    return this.#signal !== null;
  }

  get isUrgent(): boolean {
    return this.#isUrgent;
  }
}
