import { sum } from "@bearhug/metrics/sum";

import type { MockResponse } from "./mock-response.ts";
import type { RequestLine } from "./request-line.ts";

/** Counts of the requests to a mock, except requests for the counts. */
export interface MockStats {
  readonly total: number;
  /**
   * By the recorded request line, such as `GET /search?q=a`, whatever values were requested: the number of
   * requests and of each status.
   */
  readonly served: Readonly<Record<string, ServedLine>>;
  /** Request lines that are not in the capture, with the number of requests. */
  readonly unknown: Readonly<Record<string, number>>;
  /** All requests, by the name under which a load test groups them (`GET /users/:id`). */
  readonly byName: Readonly<Record<string, number>>;
}

interface ServedLine {
  readonly count: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Clients can send any number of different request lines: beyond this many unknown ones, they are counted
 * together.
 */
const maxUnknown = 10_000;
const others = "(other)";

/** Counts requests when their response is chosen, even if it is never sent. */
export class MockCounts {
  #total = 0;
  readonly #served = new Map<string, Map<number, number>>();
  readonly #unknown = new Map<string, number>();
  readonly #byName = new Map<string, number>();

  addServed(requested: RequestLine, recorded: RequestLine, { status }: MockResponse): void {
    this.#add(requested);
    let statuses = this.#served.get(recorded.text);
    if (statuses === undefined) this.#served.set(recorded.text, (statuses = new Map<number, number>()));
    increment(statuses, status);
  }

  addUnknown(requested: RequestLine): void {
    this.#add(requested);
    increment(this.#unknown, bounded(this.#unknown, requested.text));
  }

  #add({ name }: RequestLine): void {
    this.#total++;
    increment(this.#byName, bounded(this.#byName, name));
  }

  read(): MockStats {
    const served = [...this.#served].map(([key, statuses]): [string, ServedLine] => {
      const count = sum(statuses.values());
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
  return counts.has(key) || counts.size < maxUnknown ? key : others;
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
