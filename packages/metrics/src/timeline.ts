import type { HistogramPrecision } from "./histogram.ts";
import { namesOf, recordOf } from "./record-of.ts";
import type { SeriesDelta } from "./snapshot.ts";
import { Trend } from "./trend.ts";

const maxIntervals = 600;
const secondMs = 1000;

/**
 * The metric that feeds a count of an interval, and the value to take: a counter's sum, a rate's trues, or
 * a gauge's last value.
 */
export interface CountSource {
  readonly metric: string;
  readonly of: "sum" | "trues" | "last";
}

/** The trend that feeds a distribution of an interval, and the digits that the distribution keeps. */
export interface SpreadSource {
  readonly metric: string;
  readonly precision: HistogramPrecision;
}

/** The fields of a timeline's intervals: counts, and distributions by the trends that feed them. */
export interface TimelineFields<Count extends string, Spread extends string> {
  readonly counts: Readonly<Record<Count, CountSource>>;
  readonly spreads: Readonly<Record<Spread, SpreadSource>>;
}

/** One interval of the run. */
export interface Interval<Count extends string, Spread extends string> {
  readonly counts: Record<Count, number>;
  readonly spreads: Readonly<Record<Spread, Trend>>;
}

/**
 * The run in intervals of equal length: seconds at first, twice as long each time there
 * would be more than 600.
 */
export class Timeline<Count extends string, Spread extends string> {
  readonly #fields: TimelineFields<Count, Spread>;
  readonly #countNames: readonly Count[];
  readonly #spreadNames: readonly Spread[];
  #secondsPerInterval = 1;
  #intervals: Interval<Count, Spread>[] = [];

  constructor(fields: TimelineFields<Count, Spread>) {
    this.#fields = fields;
    this.#countNames = namesOf(fields.counts);
    this.#spreadNames = namesOf(fields.spreads);
  }

  get widthMs(): number {
    return this.#secondsPerInterval * secondMs;
  }

  get intervals(): readonly Interval<Count, Spread>[] {
    return this.#intervals;
  }

  /** Adds the samples of one worker in one second of the run. */
  add(second: number, deltas: readonly SeriesDelta[]): void {
    const { counts, spreads } = this.at(second);
    for (const { metrics } of deltas) {
      for (const name of this.#countNames) {
        const { metric, of } = this.#fields.counts[name];
        const delta = metrics[metric];
        if (delta?.type === "counter" && of === "sum") counts[name] += delta.total;
        else if (delta?.type === "rate" && of === "trues") counts[name] += delta.trues;
        else if (delta?.type === "gauge" && of === "last") counts[name] = delta.value;
      }
      for (const name of this.#spreadNames) {
        const delta = metrics[this.#fields.spreads[name].metric];
        if (delta?.type === "trend") spreads[name].merge(delta);
      }
    }
  }

  /** Returns the interval that contains a second. */
  at(second: number): Interval<Count, Spread> {
    while (Math.floor(second / this.#secondsPerInterval) >= maxIntervals) this.#widen();
    const index = Math.floor(second / this.#secondsPerInterval);
    while (this.#intervals.length <= index) this.#intervals.push(this.#empty());
    return this.#intervals[index] ?? this.#empty();
  }

  #widen(): void {
    this.#secondsPerInterval *= 2;
    const wider: Interval<Count, Spread>[] = [];
    for (const [index, interval] of this.#intervals.entries()) {
      const into = wider[Math.floor(index / 2)];
      if (into === undefined) wider.push(interval);
      else this.#merge(into, interval);
    }
    this.#intervals = wider;
  }

  #merge(into: Interval<Count, Spread>, later: Interval<Count, Spread>): void {
    for (const name of this.#countNames) {
      if (this.#fields.counts[name].of === "last") into.counts[name] = later.counts[name];
      else into.counts[name] += later.counts[name];
    }
    for (const name of this.#spreadNames) into.spreads[name].merge(later.spreads[name].toDelta());
  }

  #empty(): Interval<Count, Spread> {
    return {
      counts: recordOf(this.#countNames, () => 0),
      spreads: recordOf(this.#spreadNames, (name) => new Trend(this.#fields.spreads[name].precision)),
    };
  }
}
