import { matchesTags, type MetricSelector } from "../metric-selector.ts";
import type { ValidatedThreshold } from "./read-threshold.ts";
import { accumulatorFor, mergeDelta, type Accumulator } from "../accumulator.ts";
import type { Tags } from "../tags.ts";
import type { TaggedDeltas } from "../snapshot.ts";

/** All samples so far that one key selects. */
interface Total {
  readonly selector: MetricSelector;
  samples: Accumulator | undefined;
}

/**
 * The samples that each threshold without a window selects, merged as they arrive: merging thousands of
 * series anew each second would take longer and longer as their histograms fill.
 */
export class RunningTotals {
  readonly #totals = new Map<string, Total>();
  /** The totals that a series counts in, by its tags: the same object each second. */
  readonly #matching = new WeakMap<Tags, readonly Total[]>();

  constructor(thresholds: readonly ValidatedThreshold[]) {
    for (const { metric, selector, windowMs } of thresholds)
      if (windowMs === null) this.#totals.set(metric, { selector, samples: undefined });
  }

  add(series: readonly TaggedDeltas[]): void {
    for (const { tags, metrics } of series) {
      for (const total of this.#matchingOf(tags)) {
        const delta = metrics[total.selector.metric];
        if (delta === undefined) continue;
        total.samples ??= accumulatorFor(delta);
        mergeDelta(total.samples, delta);
      }
    }
  }

  /** Returns all samples so far that a threshold's key selects; undefined if there are none. */
  of({ metric }: ValidatedThreshold): Accumulator | undefined {
    return this.#totals.get(metric)?.samples;
  }

  #matchingOf(tags: Tags): readonly Total[] {
    const known = this.#matching.get(tags);
    if (known !== undefined) return known;
    const matching = [...this.#totals.values()].filter(({ selector }) => matchesTags(selector, tags));
    this.#matching.set(tags, matching);
    return matching;
  }
}
