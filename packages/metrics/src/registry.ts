import { isBuiltInTag } from "@bearhug/sdk/internal";
import type { Mask } from "@bearhug/text/secret-mask";

import { CheckFaultLog } from "./check-faults.ts";
import {
  createAccumulator,
  type Accumulator,
  type MetricDelta,
  type Counter,
  type Gauge,
  type Rate,
} from "./accumulator.ts";
import type { KeepBuckets } from "./bucket-counts.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import { OwnTags } from "./own-tags.ts";
import { detailTags, pickTags, tagsKey, type Tags } from "./tags.ts";
import type { Trend } from "./trend.ts";

/** Scopes, request series and checks that are remembered in one worker; what is beyond is looked up anew each time. */
const maxPlaces = 20_000;
/** Tags with secrets that are remembered; the rest is masked anew each time. */
const maxAliases = 3000;

/** The parts of a registry that its series need. */
interface SeriesOwner {
  readonly catalog: ReadonlyMap<string, MetricInfo>;
  readonly limits: SeriesLimits;
  /** Details whose series keep all tags. */
  readonly keptDetails: ReadonlySet<string>;
  /** The series of the scenario and page of these tags. */
  detailsOf(tags: Tags): Series;
}

/** All metrics of one combination of tags. A sample is recorded once, here; totals are merges. */
export class Series {
  readonly tags: Tags;
  readonly #owner: SeriesOwner;
  readonly #tagCharacters: number;
  readonly #metrics = new Map<string, Accumulator>();

  /** `key`: of the tags. */
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

  drain(keep: KeepBuckets): Readonly<Record<string, MetricDelta>> | null {
    const deltas: Record<string, MetricDelta> = {};
    let isEmpty = true;
    for (const [name, accumulator] of this.#metrics) {
      const delta = accumulator.drain(keep);
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
      const details = this.#owner.detailsOf(this.tags);
      if (details !== this) return details.#accumulator(name, info.type);
    }
    const created = createAccumulator(info.type, info.precision);
    this.#metrics.set(name, created);
    limits.addMetric(this.#tagCharacters);
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
  readonly #owner: SeriesOwner;
  readonly #limits = new SeriesLimits();
  readonly #foldedTags = new Set<string>();
  #overflowed: Tags | null = null;
  #places = 0;

  /**
   * `mask` takes secrets out of the values of tags, before they are cut or told apart. Samples of details are recorded by scenario
   * and page, as results have them: a phase of each of a thousand names would take most of the memory. Those of `keptDetails` keep
   * all their tags.
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
      return this.#shownSeries(own, tagsKey(own));
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
    const created = new Series(tags, key, this.#owner);
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

/** Limits of the number of series, of metrics in them, and of the characters that the tags of all those metrics take in a result. */
interface Bounds {
  readonly series: number;
  readonly metrics: number;
  readonly tagCharacters: number;
}

/** Past each of these, more tags are not told apart: first the test's own, then names, then all but the scenario. */
const stages: readonly [Bounds, Bounds, Bounds] = [
  { series: 2000, metrics: 40_000, tagCharacters: 16_000_000 },
  { series: 3000, metrics: 60_000, tagCharacters: 24_000_000 },
  { series: 4000, metrics: 80_000, tagCharacters: 32_000_000 },
];

/** The tag value of samples that have no room for their own. */
const foldedValue = "(other)";

/** Tags of few values. */
const fewTags = new Set(["scenario", "method", "status", "protocol", "expected_response", "reason"]);
const namingTags = new Set(["page", "group", "name", "check"]);

/** Counts what a set of series takes, and says which tags are still told apart. */
export class SeriesLimits {
  #series = 0;
  #metrics = 0;
  #tagCharacters = 0;

  addSeries(): void {
    this.#series++;
  }

  /** A metric got its first sample in a series. `tagCharacters`: what the series' tags take as JSON. */
  addMetric(tagCharacters: number): void {
    this.#metrics++;
    this.#tagCharacters += tagCharacters;
  }

  /** The tags of the series that samples with these tags go to, where that series is not there yet. */
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

/** Without the test's own: even their names can be many. */
function onlyBuiltIn(tags: Tags): Tags {
  return Object.fromEntries(
    Object.entries(tags).filter(([name]) => fewTags.has(name) || namingTags.has(name)),
  );
}

/** Tags in the example of a warning, besides the one that was folded. */
const exampleTags = 3;

/** A few tags for a warning, the one that was folded first. */
export function exampleOf(tags: Tags, folded: string): Tags {
  const few: Record<string, string> = { [folded]: tags[folded] ?? "" };
  for (const [name, value] of Object.entries(tags).slice(0, exampleTags)) few[name] = value;
  return few;
}
