import { getOrAdd } from "./get-or-add.ts";
import { matchesTags, type MetricSelector } from "./metric-selector.ts";
import { addTo, layoutOfSum, sumDeltas, type Accumulator } from "./accumulator.ts";
import { exampleOf, SeriesLimits } from "./registry.ts";
import type { SeriesDelta } from "./snapshot.ts";
import { keyOfKept, pickTags, tagsKey, type Tags } from "./tags.ts";

export interface StoredSeries {
  readonly tags: Tags;
  readonly metrics: ReadonlyMap<string, Accumulator>;
}

/** A series in the store. `tagCharacters` is the length of its tags as JSON. */
interface KeptSeries extends StoredSeries {
  readonly metrics: Map<string, Accumulator>;
  readonly tagCharacters: number;
}

/** The merged series of all workers. Everything that is reported or evaluated is a merge of these series. */
export class SeriesStore {
  readonly #series = new Map<string, KeptSeries>();
  /** By worker, and by the worker's number of the series. */
  readonly #known = new Map<number, Map<number, KeptSeries>>();
  readonly #limits = new SeriesLimits();
  readonly #foldedTags = new Set<string>();
  #overflowed: string | null = null;

  /** Adds one worker's snapshot; series numbers are the worker's own. */
  add(workerId: number, deltas: readonly SeriesDelta[]): void {
    const known = getOrAdd(this.#known, workerId, () => new Map<number, KeptSeries>());
    for (const { id, tags, metrics } of deltas) {
      let stored = known.get(id);
      if (stored === undefined) known.set(id, (stored = this.#withTags(tags ?? {})));
      for (const name in metrics) {
        const delta = metrics[name];
        if (delta === undefined) continue;
        if (!stored.metrics.has(name)) this.#limits.addMetric(stored.tagCharacters);
        addTo(stored.metrics, name, delta);
      }
    }
  }

  /** Tags whose values are no longer distinguished, because all workers together have too many series. */
  get foldedTags(): ReadonlySet<string> {
    return this.#foldedTags;
  }

  /** An example of tags beyond the limits, as JSON; null if there are none. */
  get overflowed(): string | null {
    return this.#overflowed;
  }

  all(): Iterable<StoredSeries> {
    return this.#series.values();
  }

  /** Returns the tags of a series, which its worker sent with the first delta. */
  tagsOf(workerId: number, delta: SeriesDelta): Tags {
    return delta.tags ?? this.#known.get(workerId)?.get(delta.id)?.tags ?? {};
  }

  /** Merges one metric over all series that pass the selector's filters; undefined if none has samples. */
  select(selector: MetricSelector): Accumulator | undefined {
    const selected: Accumulator[] = [];
    for (const { tags, metrics } of this.#series.values()) {
      const found = metrics.get(selector.metric);
      if (found !== undefined && matchesTags(selector, tags)) selected.push(found);
    }
    return sumDeltas(selected);
  }

  /**
   * Merges every metric, or those that are wanted, over the series that share the values of the given tags, in
   * the order of their first series. A series that is alone in its group is returned as it is, with all its
   * metrics: read the result at once, and do not change it.
   */
  groupBy(
    keys: readonly string[],
    where: (tags: Tags) => boolean = () => true,
    isWanted: (metric: string) => boolean = () => true,
  ): StoredSeries[] {
    const groups = new Map<string, { readonly tags: Tags; readonly members: StoredSeries[] }>();
    for (const series of this.#series.values()) {
      if (!where(series.tags)) continue;
      const values = valuesOf(series.tags, keys);
      const group = groups.get(values);
      if (group === undefined) groups.set(values, { tags: pickTags(series.tags, keys), members: [series] });
      else group.members.push(series);
    }
    return [...groups.values()].map(({ tags, members }) => ({ tags, metrics: mergeAll(members, isWanted) }));
  }

  #withTags(tags: Tags): KeptSeries {
    const key = keyOfKept(tags);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const folded = this.#limits.fold(tags);
    if (folded !== tags && tagsKey(folded) !== key) {
      for (const [name, value] of Object.entries(tags)) {
        if (folded[name] === value) continue;
        this.#foldedTags.add(name);
        this.#overflowed ??= JSON.stringify(exampleOf(tags, name));
      }
      return this.#withTags(folded);
    }
    const stored = { tags, tagCharacters: key.length, metrics: new Map<string, Accumulator>() };
    this.#series.set(key, stored);
    this.#limits.addSeries();
    return stored;
  }
}

/** Returns the values of these tags as a key. */
function valuesOf(tags: Tags, names: readonly string[]): string {
  let values = "";
  for (const name of names) {
    const value = tags[name];
    values += value === undefined ? "," : `${JSON.stringify(value)},`;
  }
  return values;
}

function mergeAll(
  series: readonly StoredSeries[],
  isWanted: (metric: string) => boolean,
): StoredSeries["metrics"] {
  const [only, ...others] = series;
  if (only !== undefined && others.length === 0) return only.metrics;
  const merged = new Map<string, Accumulator>();
  const layout = layoutOfSum(series.length);
  for (const { metrics } of series)
    metrics.forEach((accumulator, name) => {
      if (isWanted(name)) addTo(merged, name, accumulator, layout);
    });
  return merged;
}
