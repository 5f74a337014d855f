import { sumBy } from "@bearhug/metrics/sum";
import type { Accounting } from "@bearhug/sdk";

import type { RecordedMoment } from "../outcome/run-record.ts";

/**
 * A count that a recording contains twice: as samples, second by second, and as a total from shared memory.
 */
interface Counted {
  readonly metric: string;
  readonly what: string;
  readonly of: (accounting: Accounting) => number;
}

const counted: readonly Counted[] = [
  {
    metric: "http_reqs",
    what: "requests",
    of: ({ requests }) =>
      sumBy(requests, ({ client, succeeded, failed }) => (client === undefined ? succeeded + failed : 0)),
  },
  {
    metric: "iterations",
    what: "iterations",
    of: ({ iterations: { completed, failed } }) => completed + failed,
  },
  { metric: "dropped_iterations", what: "dropped iterations", of: ({ iterations }) => iterations.dropped },
];

/** Compares the samples of a recording with its totals: they differ if a line is missing or duplicate. */
export class SampleCounts {
  readonly #samples = new Map<string, number>();

  /** Adds the next moment. Returns how its totals contradict the samples so far; null if they agree. */
  add({ inputs, state, isEnd }: RecordedMoment): string | null {
    const series = inputs.flatMap((input) => (input.kind === "snapshot" ? input.snapshot.series : []));
    for (const { metrics } of series) {
      for (const { metric } of counted) {
        const delta = metrics[metric];
        if (delta?.type === "counter") this.#samples.set(metric, this.#of(metric) + delta.total);
      }
    }
    const { workers, accounting } = state;
    // A worker counts at once and reports later: one that was lost never reported its last second.
    const hasReportedAll =
      isEnd && accounting.iterations.lost === 0 && workers.every(({ lost }) => lost === null);
    for (const { metric, what, of } of counted) {
      const [samples, total] = [this.#of(metric), of(accounting)];
      if (samples > total || (hasReportedAll && samples < total))
        return `it has samples of ${samples} ${what}, but counts ${total}`;
    }
    return null;
  }

  #of(metric: string): number {
    return this.#samples.get(metric) ?? 0;
  }
}
