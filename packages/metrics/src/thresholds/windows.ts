import { matchesTags, type MetricSelector } from "../metric-selector.ts";
import type { ValidatedThreshold } from "./read-threshold.ts";
import { deltaOf, sumDeltas, type MetricDelta } from "../accumulator.ts";
import { findMetric, type MetricInfo } from "../metric-catalog.ts";
import type { TaggedDeltas } from "../snapshot.ts";
import { SlidingWindow, type WindowReading } from "./sliding-window.ts";
import { sumBy } from "../sum.ts";

/** Every threshold of a run that has a window. */
export class ThresholdWindows {
  readonly #windows = new Map<ValidatedThreshold, SlidingWindow>();

  constructor(thresholds: readonly ValidatedThreshold[], catalog: ReadonlyMap<string, MetricInfo>) {
    for (const threshold of thresholds) {
      const metric = findMetric(catalog, threshold.selector.metric);
      if (threshold.windowMs === null || metric === undefined) continue;
      this.#windows.set(threshold, new SlidingWindow(threshold, metric, threshold.windowMs));
    }
  }

  /** Adds the samples of one second, counted from 0. */
  add(second: number, series: readonly TaggedDeltas[]): void {
    for (const [{ selector }, window] of this.#windows) {
      const merged = mergeSelected(selector, series);
      if (merged !== null) window.add(second, merged);
    }
  }

  /**
   * Evaluates the windows that are complete: the first `secondsOver` seconds are over, and iterations are
   * started up to `fullUntilMs` at least.
   */
  advance(secondsOver: number, fullUntilMs: number): void {
    for (const window of this.#windows.values()) window.advance(secondsOver, fullUntilMs);
  }

  /** Ends the evaluation: iterations were started up to `fullUntilMs`. */
  finish(fullUntilMs: number): void {
    for (const window of this.#windows.values()) window.finish(fullUntilMs);
  }

  /**
   * The number of seconds kept for all thresholds together. Apart from late ones, no more than the
   * length of their windows.
   */
  get secondsKept(): number {
    return sumBy(this.#windows.values(), (window) => window.secondsKept);
  }

  /** Returns the window that decides a threshold; null if none was full. */
  reading(threshold: ValidatedThreshold): WindowReading | null {
    return this.#windows.get(threshold)?.reading ?? null;
  }

  hasFailed(threshold: ValidatedThreshold): boolean {
    return this.#windows.get(threshold)?.hasFailed ?? false;
  }
}

/** Merges one metric over the series that a selector selects; null if none has it. */
function mergeSelected(selector: MetricSelector, series: readonly TaggedDeltas[]): MetricDelta | null {
  const deltas = series.flatMap(({ tags, metrics }) => {
    const delta = metrics[selector.metric];
    return delta !== undefined && matchesTags(selector, tags) ? [delta] : [];
  });
  const [first, ...others] = deltas;
  if (first === undefined || others.length === 0) return first ?? null;
  const sum = sumDeltas(deltas);
  return sum === undefined ? null : deltaOf(sum);
}
