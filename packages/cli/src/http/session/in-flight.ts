import type { Exchange } from "../exchange/exchange.ts";

/**
 * A VU's requests on their way, in the order of their calls. A VU mostly has one, or a few: an array costs less for these
 * than a Set, which shrinks its table whenever the last one is taken out.
 */
export class InFlight implements Iterable<Exchange> {
  readonly #exchanges: Exchange[] = [];

  get size(): number {
    return this.#exchanges.length;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  delete(exchange: Exchange): void {
    if (this.#exchanges[this.#exchanges.length - 1] === exchange) {
      this.#exchanges.pop();
      return;
    }
    const index = this.#exchanges.lastIndexOf(exchange);
    if (index >= 0) this.#exchanges.splice(index, 1);
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#exchanges[Symbol.iterator]();
  }
}
