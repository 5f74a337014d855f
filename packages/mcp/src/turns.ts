/** Lets one piece of work run at a time, in the order in which they were asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the signal's reason if that came before the turn */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => null);
    return turn;
  }
}
