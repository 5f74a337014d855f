import { matchesTags, type MetricSelector, type ValidatedThreshold } from "@bearhug/sdk/internal";

import { accumulatorFor, deltaOf, mergeDelta, type MetricDelta } from "../accumulator.ts";
import { findMetric, type MetricInfo } from "../metric-catalog.ts";
import type { Tags } from "../tags.ts";
import { SlidingWindow, type WindowReading } from "./sliding-window.ts";

/** The samples that one series gathered in a second. */
export interface TaggedDeltas {
  readonly tags: Tags;
  readonly metrics: Readonly<Record<string, MetricDelta>>;
}

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

  /** Adds what was gathered in one second, counted from 0. `isLate`: requests that were never answered may be in it. */
  add(second: number, series: readonly TaggedDeltas[], isLate = false): void {
    for (const [{ selector }, window] of this.#windows) {
      const merged = mergeSelected(selector, series);
      if (merged !== null) window.add(second, merged, isLate);
    }
  }

  /** The first `secondsOver` seconds are over, and iterations are started up to `fullUntilMs` at least. */
  advance(secondsOver: number, fullUntilMs: number): void {
    for (const window of this.#windows.values()) window.advance(secondsOver, fullUntilMs);
  }

  /** Nothing more comes, and iterations were started up to `fullUntilMs`. */
  finish(fullUntilMs: number): void {
    for (const window of this.#windows.values()) window.finish(fullUntilMs);
  }

  /** The number of seconds kept for all thresholds together. Late ones aside, no more than their windows are long. */
  get secondsKept(): number {
    return [...this.#windows.values()].reduce((sum, window) => sum + window.secondsKept, 0);
  }

  /** The window that decides a threshold; null if none was full. */
  reading(threshold: ValidatedThreshold): WindowReading | null {
    return this.#windows.get(threshold)?.reading ?? null;
  }

  hasFailed(threshold: ValidatedThreshold): boolean {
    return this.#windows.get(threshold)?.hasFailed ?? false;
  }
}

/** One metric over the series that a selector means; null where there is nothing of it. */
function mergeSelected(selector: MetricSelector, series: readonly TaggedDeltas[]): MetricDelta | null {
  const deltas = series.flatMap(({ tags, metrics }) => {
    const delta = metrics[selector.metric];
    return delta !== undefined && matchesTags(selector, tags) ? [delta] : [];
  });
  const [first, ...others] = deltas;
  if (first === undefined || others.length === 0) return first ?? null;
  const merged = accumulatorFor(first);
  for (const delta of deltas) mergeDelta(merged, delta);
  return deltaOf(merged);
}
