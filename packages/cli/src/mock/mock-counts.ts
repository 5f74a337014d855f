import type { MockAnswer } from "./answer.ts";
import type { RequestLine } from "./request-line.ts";

/** Counts of the requests to a mock, without those for the counts themselves. */
export interface MockStats {
  readonly total: number;
  /** By the recorded request line, such as `GET /search?q=a`, whatever values were asked for: how often, and with which answers. */
  readonly served: Readonly<Record<string, ServedLine>>;
  /** Request lines that are not in the capture, and how often each was asked for. */
  readonly unknown: Readonly<Record<string, number>>;
  /** All requests, by the name that a load test counts them under (`GET /users/:id`). */
  readonly byName: Readonly<Record<string, number>>;
}

interface ServedLine {
  readonly count: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** A client can make up any number of unknown request lines: beyond this many, they are counted together. */
const maxMadeUp = 10_000;
const others = "(other)";

/** Counts requests when their answer is chosen, even if it is never sent. */
export class MockCounts {
  #total = 0;
  readonly #served = new Map<string, Map<number, number>>();
  readonly #unknown = new Map<string, number>();
  readonly #byName = new Map<string, number>();

  addServed(asked: RequestLine, recorded: RequestLine, { status }: MockAnswer): void {
    this.#add(asked);
    let statuses = this.#served.get(recorded.text);
    if (statuses === undefined) this.#served.set(recorded.text, (statuses = new Map<number, number>()));
    increment(statuses, status);
  }

  addUnknown(asked: RequestLine): void {
    this.#add(asked);
    increment(this.#unknown, bounded(this.#unknown, asked.text));
  }

  #add({ name }: RequestLine): void {
    this.#total++;
    increment(this.#byName, bounded(this.#byName, name));
  }

  read(): MockStats {
    const served = [...this.#served].map(([key, statuses]): [string, ServedLine] => {
      const count = [...statuses.values()].reduce((sum, times) => sum + times, 0);
      return [key, { count, statuses: Object.fromEntries(statuses) }];
    });
    return {
      total: this.#total,
      served: Object.fromEntries(served),
      unknown: Object.fromEntries(this.#unknown),
      byName: Object.fromEntries(this.#byName),
    };
  }
}

function bounded(counts: ReadonlyMap<string, number>, key: string): string {
  return counts.has(key) || counts.size < maxMadeUp ? key : others;
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
