import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import { Trend } from "@bearhug/metrics/trend";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";

/** The operations of all clients in one second. */
export interface SecondOfOperations {
  operations: number;
  failed: number;
  readonly duration: Trend;
}

/** The number of seconds kept; snapshots for earlier ones are ignored. */
const keptSeconds = 10;

/**
 * The last seconds of a run, one by one. In a long run, the intervals of a timeline are longer than a second.
 */
export class LatestSeconds {
  readonly #clients: readonly DescribedClient[];
  readonly #seconds = new Map<number, SecondOfOperations>();
  #newest = 0;

  constructor(clients: readonly DescribedClient[]) {
    this.#clients = clients;
  }

  /** Adds a worker's series of one second of the run. */
  add(second: number, series: readonly SeriesDelta[]): void {
    this.#newest = Math.max(this.#newest, second);
    if (second <= this.#newest - keptSeconds) return;
    for (const known of this.#seconds.keys())
      if (known <= this.#newest - keptSeconds) this.#seconds.delete(known);
    const into = this.at(second);
    this.#seconds.set(second, into);
    for (const { metrics } of series) {
      for (const { roles } of this.#clients) {
        const [operations, failed] = [metrics[roles.operations], metrics[roles.failed]];
        const duration = metrics[roles.duration];
        if (operations?.type === "counter") into.operations += operations.total;
        if (failed?.type === "rate") into.failed += failed.trues;
        if (duration?.type === "trend") into.duration.merge(duration);
      }
    }
  }

  at(second: number): SecondOfOperations {
    return this.#seconds.get(second) ?? { operations: 0, failed: 0, duration: new Trend(2) };
  }
}
