import type { Tags } from "./tags.ts";

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
