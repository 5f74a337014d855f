/** The user's wish to stop: once to end gracefully, twice to end now. */
export class Interruptions {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  #signal: string | null = null;
  #isUrgent = false;
  #resolveFirst: () => void = () => undefined;
  #resolveSecond: () => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#resolveFirst = resolve;
    });
    this.second = new Promise((resolve) => {
      this.#resolveSecond = resolve;
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
