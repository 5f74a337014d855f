import type { MetricDelta } from "@bearhug/metrics/accumulator";
import type { TargetDelta, UnfollowedRedirect } from "@bearhug/metrics/target-log";
import { Timeline } from "@bearhug/metrics/timeline";

/** Successes and failures of one scenario's requests to one host. */
export interface TargetCounts {
  readonly succeeded: number;
  readonly failed: number;
}

/** One host as one scenario met it, over time. */
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

  constructor(scenario: string, origin: string | null) {
    this.scenario = scenario;
    this.origin = origin;
  }

  add(second: number, { succeeded, failed }: TargetCounts): void {
    const metrics = { succeeded: counter(succeeded), failed: counter(failed) };
    this.#timeline.add(second, [{ id: 0, tags: null, metrics }]);
  }

  /** Splits the counts at a moment; the interval around it belongs to `since`. */
  splitAt(atMs: number): { readonly before: TargetCounts; readonly since: TargetCounts } {
    const { intervals, widthMs } = this.#timeline;
    const first = Math.max(0, Math.floor(atMs / widthMs));
    const sum = (from: number, to: number): TargetCounts =>
      intervals.slice(from, to).reduce(
        (total, { counts }) => ({
          succeeded: total.succeeded + counts.succeeded,
          failed: total.failed + counts.failed,
        }),
        { succeeded: 0, failed: 0 },
      );
    return { before: sum(0, first), since: sum(first, intervals.length) };
  }
}

/** The merged counts of all workers, by scenario and host. */
export class TargetStore {
  readonly #targets = new Map<string, Target>();
  #firstRedirect: UnfollowedRedirect | null = null;

  add(second: number, deltas: readonly TargetDelta[]): void {
    for (const { scenario, origin, redirect, ...counts } of deltas) {
      if (redirect !== undefined && redirect.atMs < (this.#firstRedirect?.atMs ?? Infinity))
        this.#firstRedirect = redirect;
      const key = JSON.stringify([scenario, origin]);
      const target = this.#targets.get(key) ?? new Target(scenario, origin);
      this.#targets.set(key, target);
      target.add(second, counts);
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
