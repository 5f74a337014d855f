/** The user's wish to stop: once to end gracefully, twice to end now. */
export class Interruptions {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  /** A rule of the test ends the load: that is no interruption. */
  readonly loadCut: Promise<void>;
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
    this.loadCut = new Promise((resolve) => {
      this.#resolveLoadCut = resolve;
    });
  }

  /** Says once more that the run is to stop; `signal` names who said so. */
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
  cutLoad(): void {
    this.#resolveLoadCut();
  }

  /** The signal that came first; null while there was none. */
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
