import { createAccumulator, type Accumulator, type MetricDelta } from "./accumulator.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import type { Counter } from "./counter.ts";
import type { Gauge } from "./gauge.ts";
import type { Rate } from "./rate.ts";
import { tagsKey, type Tags } from "./tags.ts";
import type { Trend } from "./trend.ts";

/** At most this many series in one worker; beyond, the test's own tags are no longer told apart. */
const maxSeries = 2000;
/** From here on pages, groups, names and checks are not, either. What is left then is few. */
const lastSeries = 3000;

/** All metrics of one combination of tags. A sample is recorded once, here; totals are merges. */
export class Series {
  readonly tags: Tags;
  readonly #catalog: ReadonlyMap<string, MetricInfo>;
  readonly #metrics = new Map<string, Accumulator>();

  constructor(tags: Tags, catalog: ReadonlyMap<string, MetricInfo>) {
    this.tags = tags;
    this.#catalog = catalog;
  }

  counter(name: string): Counter {
    return this.#accumulator(name, "counter");
  }
  gauge(name: string): Gauge {
    return this.#accumulator(name, "gauge");
  }
  rate(name: string): Rate {
    return this.#accumulator(name, "rate");
  }
  trend(name: string): Trend {
    return this.#accumulator(name, "trend");
  }

  drain(): Readonly<Record<string, MetricDelta>> | null {
    const deltas: Record<string, MetricDelta> = {};
    let isEmpty = true;
    for (const [name, accumulator] of this.#metrics) {
      const delta = accumulator.drain();
      if (delta === null) continue;
      deltas[name] = delta;
      isEmpty = false;
    }
    return isEmpty ? null : deltas;
  }

  #accumulator<Type extends Accumulator["type"]>(
    name: string,
    type: Type,
  ): Extract<Accumulator, { type: Type }> {
    const known = this.#metrics.get(name) ?? this.#create(name);
    if (!isOfType(known, type)) throw new TypeError(`${name} is a ${known.type}, not a ${type}`);
    return known;
  }

  #create(name: string): Accumulator {
    const info = this.#catalog.get(name);
    if (info === undefined) throw new TypeError(`no metric is called ${name}`);
    const created = createAccumulator(info.type, info.precision);
    this.#metrics.set(name, created);
    return created;
  }
}

function isOfType<Type extends Accumulator["type"]>(
  accumulator: Accumulator,
  type: Type,
): accumulator is Extract<Accumulator, { type: Type }> {
  return accumulator.type === type;
}

/** The series of one worker. */
export class MetricRegistry {
  readonly catalog: ReadonlyMap<string, MetricInfo>;
  readonly #series = new Map<string, Series>();
  readonly #foldedTags = new Set<string>();
  #overflowed: Tags | null = null;

  constructor(catalog: ReadonlyMap<string, MetricInfo>) {
    this.catalog = catalog;
  }

  series(tags: Tags): Series {
    const key = tagsKey(tags);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= maxSeries) {
      const kept = this.#series.size >= lastSeries ? [] : namingTags;
      const folded = foldTags(tags, (name) => fewTags.has(name) || kept.includes(name));
      if (tagsKey(folded) !== key) {
        this.noteFolded(tags, folded);
        return this.series(folded);
      }
    }
    const created = new Series(tags, this.catalog);
    this.#series.set(key, created);
    return created;
  }

  /** Samples that carry `tags` go where `folded` says: filters on the tags that differ can no longer be answered. */
  noteFolded(tags: Tags, folded: Tags): void {
    this.#overflowed ??= tags;
    for (const [name, value] of Object.entries(tags)) if (folded[name] !== value) this.#foldedTags.add(name);
  }

  /** Tags that are not told apart any more. */
  get foldedTags(): readonly string[] {
    return [...this.#foldedTags];
  }

  /** The first combination of tags that found no room, for the warning; null while there is room. */
  get overflowed(): Tags | null {
    return this.#overflowed;
  }

  all(): Iterable<Series> {
    return this.#series.values();
  }
}

/** What samples without room of their own carry instead of their value. */
const foldedValue = "(other)";

/** Tags of few values. */
const fewTags = new Set(["scenario", "method", "status", "protocol", "expected_response"]);
const namingTags = ["page", "group", "name", "check"];

export function foldTags(tags: Tags, isKept: (name: string) => boolean = () => false): Tags {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name, isKept(name) ? value : foldedValue]),
  );
}
