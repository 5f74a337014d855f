/** The user's requests to stop: the first ends the run gracefully, the second at once. */
export class Interruptions {
  readonly #first: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #second: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #loadEnded: PromiseWithResolvers<string> = Promise.withResolvers();
  readonly first: Promise<void> = this.#first.promise;
  readonly second: Promise<void> = this.#second.promise;
  /** Resolves to the threshold that ends the load, which is not an interruption. */
  readonly loadEnded: Promise<string> = this.#loadEnded.promise;
  #signal: string | null = null;
  #isUrgent = false;

  /** Requests a stop, the second time an immediate one. `signal` names the source. */
  interrupt(signal: string): void {
    if (this.#signal === null) {
      this.#signal = signal;
      this.#first.resolve();
      return;
    }
    this.#isUrgent = true;
    this.#second.resolve();
  }

  /** Ends the load at once, because a threshold with `abortOnFail` has failed. */
  endLoad(threshold: string): void {
    this.#loadEnded.resolve(threshold);
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
