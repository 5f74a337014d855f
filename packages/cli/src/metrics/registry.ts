import { isBuiltInTag } from "@bearhug/sdk/internal";

import type { Mask } from "../secret-mask.ts";
import { CheckFaultLog } from "./check-faults.ts";
import { createAccumulator, type Accumulator, type MetricDelta } from "./accumulator.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import type { Counter } from "./counter.ts";
import type { Gauge } from "./gauge.ts";
import type { Rate } from "./rate.ts";
import { OwnTags } from "./own-tags.ts";
import { exampleOf, SeriesLimits } from "./series-limits.ts";
import { tagsKey, type Tags } from "./tags.ts";
import type { Trend } from "./trend.ts";

/** Scopes, request series and checks that are remembered in one worker; what is beyond is looked up anew each time. */
const maxPlaces = 20_000;
/** Tags with secrets that are remembered; the rest is masked anew each time. */
const maxAliases = 3000;

/** All metrics of one combination of tags. A sample is recorded once, here; totals are merges. */
export class Series {
  readonly tags: Tags;
  readonly #catalog: ReadonlyMap<string, MetricInfo>;
  readonly #limits: SeriesLimits;
  readonly #tagCharacters: number;
  readonly #metrics = new Map<string, Accumulator>();

  /** `key`: of the tags. */
  constructor(tags: Tags, key: string, catalog: ReadonlyMap<string, MetricInfo>, limits: SeriesLimits) {
    this.tags = tags;
    this.#tagCharacters = key.length;
    this.#catalog = catalog;
    this.#limits = limits;
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
    this.#limits.addMetric(this.#tagCharacters);
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
  readonly ownTags: OwnTags;
  readonly checkFaults: CheckFaultLog = new CheckFaultLog();
  readonly #mask: Mask;
  readonly #series = new Map<string, Series>();
  /** Series by tags whose values have secrets, as the test gave them. */
  readonly #aliases = new Map<string, Series>();
  readonly #limits = new SeriesLimits();
  readonly #foldedTags = new Set<string>();
  #overflowed: Tags | null = null;
  #places = 0;

  /** `mask` takes secrets out of the values of tags, before they are cut or told apart. */
  constructor(catalog: ReadonlyMap<string, MetricInfo>, mask: Mask) {
    this.catalog = catalog;
    this.#mask = mask;
    this.ownTags = new OwnTags((tag, name, value) => {
      this.#foldedTags.add(tag);
      this.#overflowed ??= { [name]: this.ownTags.cap(value) };
    }, mask.hide);
  }

  series(tags: Tags): Series {
    const key = tagsKey(tags);
    const known = this.#series.get(key) ?? this.#aliases.get(key);
    if (known !== undefined) return known;
    const shown = this.#withoutSecrets(tags);
    const shownKey = shown === tags ? key : tagsKey(shown);
    const series = this.#shownSeries(shown, shownKey);
    if (shownKey !== key && this.#aliases.size < maxAliases) this.#aliases.set(key, series);
    return series;
  }

  #shownSeries(tags: Tags, key: string): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const folded = this.#limits.fold(tags);
    const foldedKey = folded === tags ? key : tagsKey(folded);
    if (foldedKey !== key) {
      this.noteFolded(tags, folded);
      return this.#shownSeries(folded, foldedKey);
    }
    const created = new Series(tags, key, this.catalog, this.#limits);
    this.#series.set(key, created);
    this.#limits.addSeries();
    return created;
  }

  /** True when there is room to remember one more scope, request series or check. */
  takePlace(): boolean {
    if (this.#places >= maxPlaces) return false;
    this.#places++;
    return true;
  }

  /** Samples that carry `tags` go where `folded` says: filters on the tags that differ can no longer be answered. */
  noteFolded(tags: Tags, folded: Tags): void {
    for (const [name, value] of Object.entries(tags)) {
      if (folded[name] === value) continue;
      this.#foldedTags.add(name);
      this.#overflowed ??= exampleOf(this.#withoutSecrets(tags), name);
    }
  }

  /** Tags that are not told apart any more; `leftOutTags` among them stands for all that had no room at all. */
  get foldedTags(): readonly string[] {
    return [...this.#foldedTags];
  }

  /** An example of tags that found no room, for the warning; null while there is room. */
  get overflowed(): Tags | null {
    return this.#overflowed;
  }

  all(): Iterable<Series> {
    return this.#series.values();
  }

  /** The same object where no secret is in it. */
  #withoutSecrets(tags: Tags): Tags {
    const { hide } = this.#mask;
    const shown: [name: string, value: string][] = [];
    let isSame = true;
    for (const [name, value] of Object.entries(tags)) {
      const [shownName, shownValue] = [isBuiltInTag(name) ? name : hide(name), hide(value)];
      isSame &&= shownName === name && shownValue === value;
      shown.push([shownName, shownValue]);
    }
    return isSame ? tags : Object.fromEntries(shown);
  }
}
