import type { SeriesStore } from "@bearhug/metrics/series-store";

/** A check that failed, and the step of the test in which it did. */
export interface FailedCheck {
  readonly name: string;
  readonly scenario: string;
  /** Null outside of pages. */
  readonly page: string | null;
  readonly group: string | null;
}

/**
 * Returns the first check, in the order of the test, that failed: later ones often fail for the same reason.
 */
export function firstFailedCheck(store: SeriesStore): FailedCheck | null {
  const failed = store
    .groupBy(["check", "scenario", "page", "group"], (tags) => tags["check"] !== undefined)
    .find(({ metrics }) => {
      const rate = metrics.get("checks");
      return rate?.type === "rate" && rate.trues < rate.samples;
    });
  if (failed === undefined) return null;
  const { check = "", scenario = "", page = null, group = null } = failed.tags;
  return { name: check, scenario, page, group };
}
