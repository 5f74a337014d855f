import type { Mask } from "@bearhug/text/secret-mask";

import { CheckFaultLog } from "./check-faults.ts";
import {
  createAccumulator,
  isOfType,
  type Accumulator,
  type MetricDelta,
  type Counter,
  type Gauge,
  type Rate,
} from "./accumulator.ts";
import type { CopyBuckets } from "./bucket-counts.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import { OwnTags } from "./own-tags.ts";
import { detailTags, pickTags, tagsKey, type Tags, isBuiltInTag } from "./tags.ts";
import type { Trend } from "./trend.ts";

/** The most scopes, request series and checks that one worker caches; the rest is looked up each time. */
const maxEntries = 20_000;
/** The most tag sets with secrets that are cached; the rest is masked each time. */
const maxAliases = 3000;

/** The parts of a registry that its series need. */
interface SeriesOwner {
  readonly catalog: ReadonlyMap<string, MetricInfo>;
  readonly limits: SeriesLimits;
  /** Details whose series keep all tags. */
  readonly keptDetails: ReadonlySet<string>;
  /** Returns the series of the scenario and page of these tags. */
  detailsOf(tags: Tags): Series;
}

/** All metrics of one combination of tags. A sample is recorded once, here; totals are merges. */
export class Series {
  readonly tags: Tags;
  readonly #owner: SeriesOwner;
  readonly #tagCharacters: number;
  readonly #metrics = new Map<string, Accumulator>();
  /** The series that has its details; null until it is needed. */
  #details: Series | null = null;

  /** `key` is the key of the tags. */
  constructor(tags: Tags, key: string, owner: SeriesOwner) {
    this.tags = tags;
    this.#tagCharacters = key.length;
    this.#owner = owner;
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

  drain(copy: CopyBuckets): Readonly<Record<string, MetricDelta>> | null {
    const deltas: Record<string, MetricDelta> = {};
    let isEmpty = true;
    for (const [name, accumulator] of this.#metrics) {
      const delta = accumulator.drain(copy);
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
    const { catalog, limits, keptDetails } = this.#owner;
    const info = catalog.get(name);
    if (info === undefined) throw new TypeError(`no metric is called ${name}`);
    if (info.isDetail && !keptDetails.has(name)) {
      const details = (this.#details ??= this.#owner.detailsOf(this.tags));
      if (details !== this) return details.#accumulator(name, info.type);
    }
    const created = createAccumulator(info.type, info.precision);
    this.#metrics.set(name, created);
    limits.addMetric(this.#tagCharacters);
    return created;
  }
}

/** The series of one worker. */
export class MetricRegistry {
  readonly catalog: ReadonlyMap<string, MetricInfo>;
  readonly ownTags: OwnTags;
  readonly checkFaults: CheckFaultLog = new CheckFaultLog();
  readonly #mask: Mask;
  readonly #series = new Map<string, Series>();
  /** Series by tag sets with secrets, as the test gave them. */
  readonly #aliases = new Map<string, Series>();
  readonly #owner: SeriesOwner;
  readonly #limits = new SeriesLimits();
  readonly #foldedTags = new Set<string>();
  #overflowed: Tags | null = null;
  #entries = 0;

  /**
   * `mask` masks secrets in the values of tags, before they are cut or compared. Samples of details are
   * recorded by scenario and page, as in results: a phase of each of a thousand names would take most of the
   * memory. Those of `keptDetails` keep all their tags.
   */
  constructor(
    catalog: ReadonlyMap<string, MetricInfo>,
    mask: Mask,
    keptDetails: ReadonlySet<string> = new Set(),
  ) {
    this.catalog = catalog;
    this.#mask = mask;
    const detailsOf = (tags: Tags): Series => {
      const own = pickTags(tags, detailTags);
      return this.#maskedSeries(own, tagsKey(own));
    };
    this.#owner = { catalog, limits: this.#limits, keptDetails, detailsOf };
    this.ownTags = new OwnTags((tag, name, value) => {
      this.#foldedTags.add(tag);
      this.#overflowed ??= { [name]: this.ownTags.cap(value) };
    }, mask.hide);
  }

  series(tags: Tags): Series {
    const key = tagsKey(tags);
    const known = this.#series.get(key) ?? this.#aliases.get(key);
    if (known !== undefined) return known;
    const masked = this.#withoutSecrets(tags);
    const maskedKey = masked === tags ? key : tagsKey(masked);
    const series = this.#maskedSeries(masked, maskedKey);
    if (maskedKey !== key && this.#aliases.size < maxAliases) this.#aliases.set(key, series);
    return series;
  }

  #maskedSeries(tags: Tags, key: string): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const folded = this.#limits.fold(tags);
    const foldedKey = folded === tags ? key : tagsKey(folded);
    if (foldedKey !== key) {
      this.recordFolded(tags, folded);
      return this.#maskedSeries(folded, foldedKey);
    }
    const created = new Series(tags, key, this.#owner);
    this.#series.set(key, created);
    this.#limits.addSeries();
    return created;
  }

  /**
   * Reserves room in the cache for one more scope, request series or check; returns false if there is none.
   */
  reserveEntry(): boolean {
    if (this.#entries >= maxEntries) return false;
    this.#entries++;
    return true;
  }

  /**
   * Notes that samples with `tags` are recorded under `folded` instead: filters on the tags that
   * differ no longer work.
   */
  recordFolded(tags: Tags, folded: Tags): void {
    for (const [name, value] of Object.entries(tags)) {
      if (folded[name] === value) continue;
      this.#foldedTags.add(name);
      this.#overflowed ??= exampleOf(this.#withoutSecrets(tags), name);
    }
  }

  /**
   * Tags whose values are no longer distinguished. `omittedTags` in the list stands for all
   * tags that were left out.
   */
  get foldedTags(): readonly string[] {
    return [...this.#foldedTags];
  }

  /** An example of tags beyond the limits, for the warning; null if there are none. */
  get overflowed(): Tags | null {
    return this.#overflowed;
  }

  all(): Iterable<Series> {
    return this.#series.values();
  }

  /** Masks secrets in tags. Returns the same object if there are none. */
  #withoutSecrets(tags: Tags): Tags {
    const { hide } = this.#mask;
    const shownName = (name: string): string => (isBuiltInTag(name) ? name : hide(name));
    let isSame = true;
    for (const name in tags) {
      const value = tags[name] ?? "";
      isSame &&= shownName(name) === name && hide(value) === value;
    }
    if (isSame) return tags;
    return Object.fromEntries(Object.entries(tags).map(([name, value]) => [shownName(name), hide(value)]));
  }
}

/**
 * Limits on the number of series, on the metrics in them, and on the characters that the tags of all these
 * metrics take in a result.
 */
interface Bounds {
  readonly series: number;
  readonly metrics: number;
  readonly tagCharacters: number;
}

/**
 * Beyond each of these limits, fewer tags are distinguished: the test's own are folded first, then names,
 * then all but the scenario.
 */
const stages: readonly [Bounds, Bounds, Bounds] = [
  { series: 2000, metrics: 40_000, tagCharacters: 16_000_000 },
  { series: 3000, metrics: 60_000, tagCharacters: 24_000_000 },
  { series: 4000, metrics: 80_000, tagCharacters: 32_000_000 },
];

/** The tag value of samples whose own value is beyond the limits. */
const foldedValue = "(other)";

/** Tags with few different values. */
const fewTags = new Set(["scenario", "method", "status", "protocol", "expected_response", "reason"]);
const namingTags = new Set(["page", "group", "name", "check"]);

/** Counts the size of a set of series, and decides which tags are still distinguished. */
export class SeriesLimits {
  #series = 0;
  #metrics = 0;
  #tagCharacters = 0;

  addSeries(): void {
    this.#series++;
  }

  /**
   * Counts a metric that got its first sample in a series. `tagCharacters` is the length of the
   * series' tags as JSON.
   */
  addMetric(tagCharacters: number): void {
    this.#metrics++;
    this.#tagCharacters += tagCharacters;
  }

  /** Returns the tags under which samples with these tags are recorded, if they have no series yet. */
  fold(tags: Tags): Tags {
    const [ownTags, names, all] = stages;
    if (!this.#isPast(ownTags)) return tags;
    if (!this.#isPast(names)) return foldTags(tags, (name) => fewTags.has(name) || namingTags.has(name));
    if (!this.#isPast(all)) return foldTags(tags, (name) => fewTags.has(name));
    return foldTags(onlyBuiltIn(tags), (name) => name === "scenario");
  }

  #isPast(bounds: Bounds): boolean {
    return (
      this.#series >= bounds.series ||
      this.#metrics >= bounds.metrics ||
      this.#tagCharacters >= bounds.tagCharacters
    );
  }
}

export function foldTags(tags: Tags, isKept: (name: string) => boolean = () => false): Tags {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name, isKept(name) ? value : foldedValue]),
  );
}

/** Leaves out the test's own tags: even their names can be many. */
function onlyBuiltIn(tags: Tags): Tags {
  return Object.fromEntries(
    Object.entries(tags).filter(([name]) => fewTags.has(name) || namingTags.has(name)),
  );
}

/** The number of tags in the example of a warning, besides the one that was folded. */
const exampleTags = 3;

/** Returns a few tags for a warning, the folded one first. */
export function exampleOf(tags: Tags, folded: string): Tags {
  const few: Record<string, string> = { [folded]: tags[folded] ?? "" };
  for (const [name, value] of Object.entries(tags).slice(0, exampleTags)) few[name] = value;
  return few;
}
