import type { FailedExchange } from "@bearhug/sdk/internal";

/** The most kinds of errors with examples; further ones are only in the errors table. */
const mostKinds = 50;
/** Examples of one kind: the first, and the latest two. */
const mostOfAKind = 3;

/** Failures with the same code, of requests with the same name. */
interface Kind {
  seen: number;
  taken: readonly FailedExchange[];
}

/** Examples of each kind of failed request, in bounded memory. */
export class FailedExchanges {
  readonly #kinds = new Map<string, Map<string, Kind>>();
  #size = 0;

  /**
   * Counts a failure, and takes the first three of its kind. Of those that follow it takes the 4th, 8th, 16th and so on: a
   * failure that happens often is described only now and then.
   */
  count(code: string, name: string, describe: () => FailedExchange): void {
    const kind = this.#kindOf(code, name);
    if (kind === null) return;
    kind.seen++;
    const isPowerOfTwo = (kind.seen & (kind.seen - 1)) === 0;
    if (kind.seen <= mostOfAKind || isPowerOfTwo) kind.taken = chosen([...kind.taken, describe()]);
  }

  /** Adds one that was taken elsewhere. */
  add(exchange: FailedExchange): void {
    const kind = this.#kindOf(exchange.code, exchange.name);
    if (kind !== null) kind.taken = chosen([...kind.taken, exchange]);
  }

  /** Those that were taken since the last drain. */
  drain(): FailedExchange[] {
    const taken = this.all();
    for (const kinds of this.#kinds.values()) for (const kind of kinds.values()) kind.taken = [];
    return taken;
  }

  /** Those of one kind stand together, in the order of time. */
  all(): FailedExchange[] {
    return [...this.#kinds.values()].flatMap((kinds) => [...kinds.values()].flatMap(({ taken }) => taken));
  }

  #kindOf(code: string, name: string): Kind | null {
    const ofName = this.#kinds.get(name);
    const known = ofName?.get(code);
    if (known !== undefined) return known;
    if (this.#size >= mostKinds) return null;
    this.#size++;
    const created = { seen: 0, taken: [] };
    if (ofName === undefined) this.#kinds.set(name, new Map([[code, created]]));
    else ofName.set(code, created);
    return created;
  }
}

function chosen(exchanges: readonly FailedExchange[]): FailedExchange[] {
  const sorted = exchanges.toSorted((left, right) => left.atMs - right.atMs);
  return sorted.length <= mostOfAKind ? sorted : [...sorted.slice(0, 1), ...sorted.slice(1 - mostOfAKind)];
}
