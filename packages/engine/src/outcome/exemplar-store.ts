import { FailedExchanges } from "@bearhug/metrics/exemplar-log";
import type { MetricResult } from "@bearhug/sdk";
import type { ExemplarsResult, MergedResult, PageExemplar } from "@bearhug/sdk/result";

const maxPages = 20;
/** The most workers with exemplars of one page: workers behave alike, so a few are enough. */
const maxWorkers = 4;

const percentiles = { median: "med", slow: "p(95)" } as const;

/** The exemplars of all workers. */
export class ExemplarStore {
  readonly #failures = new FailedExchanges();
  /** By page, then by kind and worker. A worker's later visit is more typical, so it replaces the earlier one. */
  readonly #pages = new Map<string, Map<string, PageExemplar>>();

  add(workerId: number, { pages, errors }: ExemplarsResult): void {
    for (const exchange of errors) this.#failures.add(exchange);
    for (const visit of pages) this.#addVisit(workerId, visit);
  }

  /** Returns the exemplars that fit the page times of the whole run; null if there are none. */
  result(pages: readonly MergedResult[]): ExemplarsResult | null {
    const visits = pages.flatMap(({ name, metrics }) => this.#choose(name, metrics["page_duration"]));
    const errors = this.#failures.all();
    return visits.length === 0 && errors.length === 0 ? null : { pages: visits, errors };
  }

  #addVisit(workerId: number, visit: PageExemplar): void {
    let ofPage = this.#pages.get(visit.page);
    if (ofPage === undefined) {
      if (this.#pages.size >= maxPages) return;
      this.#pages.set(visit.page, (ofPage = new Map<string, PageExemplar>()));
    }
    const key = `${visit.kind} ${workerId}`;
    if (ofPage.has(key) || ofPage.size < maxWorkers * Object.keys(percentiles).length) ofPage.set(key, visit);
  }

  /**
   * Chooses the visits nearest to the percentiles of the whole run. A visit nearest to both counts as the
   * median.
   */
  #choose(page: string, durations: MetricResult | undefined): PageExemplar[] {
    const visits = [...(this.#pages.get(page)?.values() ?? [])];
    if (durations?.type !== "trend") return [];
    const { values } = durations;
    const median = nearest(visits, values[percentiles.median]);
    const slow = nearest(visits, values[percentiles.slow]);
    return [
      ...(median === null ? [] : [{ ...median, kind: "median" as const }]),
      ...(slow === null || isSameVisit(slow, median) ? [] : [{ ...slow, kind: "slow" as const }]),
    ];
  }
}

function nearest(visits: readonly PageExemplar[], targetMs: number | undefined): PageExemplar | null {
  if (targetMs === undefined) return null;
  const distance = ({ durationMs }: PageExemplar): number => Math.abs(durationMs - targetMs);
  return visits.reduce<PageExemplar | null>(
    (best, visit) => (best === null || distance(visit) < distance(best) ? visit : best),
    null,
  );
}

/** True for two copies of one visit: a worker sends a visit that is of both kinds twice. */
function isSameVisit(one: PageExemplar, other: PageExemplar | null): boolean {
  return other !== null && one.atMs === other.atMs && one.durationMs === other.durationMs;
}
