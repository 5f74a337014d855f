import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import type { LastSuccess, TargetDelta, UnfollowedRedirect } from "@bearhug/metrics/target-log";
import { Timeline } from "@bearhug/metrics/timeline";

/** Successes and failures of one scenario's requests to one host. */
export interface TargetCounts {
  readonly succeeded: number;
  readonly failed: number;
}

/** One scenario's requests to one host, over time. */
export class Target {
  readonly scenario: string;
  /** Null for the operations of clients other than HTTP. */
  readonly origin: string | null;
  readonly #timeline = new Timeline<"succeeded" | "failed", never>({
    counts: {
      succeeded: { metric: "succeeded", of: "sum" },
      failed: { metric: "failed", of: "sum" },
    },
    spreads: {},
  });
  /** The latest success that any worker has reported, and the `second` of its delta. */
  #lastSuccess: (LastSuccess & { readonly second: number }) | null = null;

  constructor(scenario: string, origin: string | null) {
    this.scenario = scenario;
    this.origin = origin;
  }

  add(
    second: number,
    { succeeded, failed, lastSuccess }: Pick<TargetDelta, "succeeded" | "failed" | "lastSuccess">,
  ): void {
    const metrics = { succeeded: counter(succeeded), failed: counter(failed) };
    this.#timeline.add(second, [{ id: 0, tags: null, metrics }]);
    if (succeeded === 0) return;
    const last = lastSuccess ?? { atMs: (second + 1) * 1000, failedSince: 0 };
    if (last.atMs > (this.#lastSuccess?.atMs ?? Number.NEGATIVE_INFINITY))
      this.#lastSuccess = { ...last, second };
  }

  /** The successes and failures of the whole run. */
  get counts(): TargetCounts {
    const counts = this.#timeline.intervals.map((interval) => interval.counts);
    return sumFigures(counts, "succeeded", "failed");
  }

  /**
   * Returns the consecutive failures at the end of the run; null if a request succeeded at or after `atMs`.
   * They are counted from the last success, which may be earlier than `atMs`: virtual users that back off may
   * send nothing at the end. In the second of the last success, only failures of the same worker count,
   * because the order of other workers' failures is unknown.
   */
  failedInARow(atMs: number): number | null {
    const last = this.#lastSuccess;
    if (last === null) return this.#failedFrom(Math.floor(atMs / this.#timeline.widthMs));
    if (last.atMs >= atMs) return null;
    return last.failedSince + this.#failedFrom(this.#intervalOf(last.second) + 1);
  }

  #intervalOf(second: number): number {
    return Math.floor((second * 1000) / this.#timeline.widthMs);
  }

  #failedFrom(interval: number): number {
    const from = this.#timeline.intervals.slice(Math.max(0, interval));
    return sumBy(from, ({ counts }) => counts.failed);
  }
}

/** The counts of all workers, merged by scenario and host. */
export class TargetStore {
  readonly #targets = new Map<string, Target>();
  #firstRedirect: UnfollowedRedirect | null = null;

  add(second: number, deltas: readonly TargetDelta[]): void {
    for (const { scenario, origin, redirect, ...counts } of deltas) {
      if (redirect !== undefined && redirect.atMs < (this.#firstRedirect?.atMs ?? Infinity))
        this.#firstRedirect = redirect;
      const key = JSON.stringify([scenario, origin]);
      getOrAdd(this.#targets, key, () => new Target(scenario, origin)).add(second, counts);
    }
  }

  /** The earliest redirect that was not followed; null if there was none. */
  get firstRedirect(): UnfollowedRedirect | null {
    return this.#firstRedirect;
  }

  all(): readonly Target[] {
    return [...this.#targets.values()];
  }
}

function counter(total: number): MetricDelta {
  return { type: "counter", total, samples: total };
}
