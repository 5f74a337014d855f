import type { MetricDelta } from "./accumulator.ts";
import { createPackedCopier } from "./bucket-counts.ts";
import type { MetricRegistry, Series } from "./registry.ts";
import type { Tags } from "./tags.ts";

/** The samples of one series in one second. */
export interface TaggedDeltas {
  readonly tags: Tags;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
}

/** The samples of one series since the last snapshot. */
export interface SeriesDelta extends Pick<TaggedDeltas, "metrics"> {
  /** The series' number within its worker. */
  readonly id: number;
  /** Sent with the first delta of a series only. */
  readonly tags: Tags | null;
}

/** Drains a worker's registry into plain data, once a second. */
export class SnapshotTaker {
  readonly #registry: MetricRegistry;
  readonly #ids = new Map<Series, number>();

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
  }

  take(): SeriesDelta[] {
    const deltas: SeriesDelta[] = [];
    const copy = createPackedCopier();
    for (const series of this.#registry.all()) {
      const metrics = series.drain(copy);
      if (metrics === null) continue;
      const known = this.#ids.get(series);
      const id = known ?? this.#ids.size;
      if (known === undefined) this.#ids.set(series, id);
      deltas.push({ id, tags: known === undefined ? series.tags : null, metrics });
    }
    return deltas;
  }
}
