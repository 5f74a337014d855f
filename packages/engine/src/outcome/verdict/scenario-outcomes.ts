import { ofType } from "@bearhug/metrics/accumulator";
import { matchesTags, type MetricSelector } from "@bearhug/metrics/metric-selector";
import type { SeriesStore, StoredSeries } from "@bearhug/metrics/series-store";
import { sumBy } from "@bearhug/metrics/sum";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { ExecutorName } from "@bearhug/sdk";
import { redirectStatuses } from "@bearhug/sdk/internal";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { ArrivalRate, RecordedPlan } from "../run-record.ts";

/** Requests or iterations that ended, and how many of them failed. */
export interface EndedCounts {
  readonly ended: number;
  readonly failed: number;
}

/** The samples of one scenario, as far as the verdict needs them. */
export interface ScenarioOutcome {
  readonly name: string;
  readonly executor: ExecutorName;
  /** The scenario's place in the test; null if the test has no file. */
  readonly source: SourcePosition | null;
  /** Null for a scenario whose rate is not constant. */
  readonly arrivalRate: ArrivalRate | null;
  /** Its load has no virtual users, or too low a rate for one iteration. */
  readonly isEmpty: boolean;
  /** The test declares that its iterations make no requests. */
  readonly expectsNoRequests: boolean;
  /** The test declares that its requests may fail and its target may go away. */
  readonly expectsFailures: boolean;
  /** Iterations that ended by themselves. */
  readonly completed: number;
  /** Iterations that threw, or had an unanswered request. */
  readonly failed: number;
  /** Requests that ended. */
  readonly requests: number;
  readonly failedRequests: number;
  /** The names of its requests. */
  readonly names: ReadonlySet<string>;
  /** Its virtual users' time, in µs. */
  readonly vuTime: { readonly totalUs: number; readonly lostUs: number };
  /** True if a threshold of the test limits the time that its virtual users lose. */
  readonly judgesVuTime: boolean;
  /** Requests that succeeded with a redirect, which another request should have followed. */
  readonly redirects: number;
  /** Open models: iterations that were started on schedule. */
  readonly arrived: number;
  /** Iterations that were due and never started, by reason. */
  readonly drops: ReadonlyMap<string, number>;
  /** The `drops` that no threshold of the test limits. */
  readonly unjudgedDrops: number;
  /** Requests whose failures no threshold of the test judges, and the names of those that failed. */
  readonly unjudgedRequests: EndedCounts & { readonly names: ReadonlySet<string> };
  /** Iterations whose failures no threshold judges, neither directly nor by a request or check that failed. */
  readonly unjudgedIterations: EndedCounts;
}

/** Reads the outcome of each planned scenario from the merged series. */
export function scenarioOutcomes(
  store: SeriesStore,
  { scenarios, clients }: Pick<RecordedPlan, "scenarios" | "clients">,
  thresholds: readonly ValidatedThreshold[],
): ScenarioOutcome[] {
  const boundsOn = (metric: string): MetricSelector[] =>
    thresholds.map(({ selector }) => selector).filter((one) => one.metric === metric);
  const dropBounds = boundsOn("dropped_iterations");
  const timeBounds = boundsOn("vu_time_lost");
  const failedMetrics = clients.map(({ roles }) => roles.failed);
  return scenarios.map(({ scenario, arrivalRate = null, source = null, isEmpty = false }) => {
    const { name, executor, expectsNoRequests, expectsFailures = false } = scenario;
    const own = [...store.all()].filter(({ tags }) => tags["scenario"] === name);
    const [ended, failed] = countRate(own, "iteration_failed");
    const [totalUs, lostUs] = countRate(own, "vu_time_lost");
    return {
      name,
      executor,
      source,
      arrivalRate,
      isEmpty,
      expectsNoRequests,
      expectsFailures,
      completed: ended - failed,
      failed,
      requests: sumBy(clients, ({ roles }) => countCounter(own, roles.operations)),
      failedRequests: sumBy(clients, ({ roles }) => countRate(own, roles.failed)[1]),
      names: new Set(own.flatMap(({ tags }) => tags["name"] ?? [])),
      vuTime: { totalUs, lostUs },
      judgesVuTime: timeBounds.some((bound) => matchesTags(bound, { scenario: name })),
      redirects: countCounter(own.filter(isRedirect), "http_reqs"),
      arrived: countTrend(own, "vu_wait"),
      ...countDrops(own, dropBounds),
      ...countUnjudged(own, failedMetrics, boundsOn),
    };
  });
}

function isRedirect({ tags }: StoredSeries): boolean {
  return tags["expected_response"] === "true" && redirectStatuses.has(Number(tags["status"]));
}

/** The reason of drops after an early end. They do not count, because nothing more was to be started. */
const afterEarlyEnd = "stopped";

function countDrops(
  series: readonly StoredSeries[],
  ownBounds: readonly MetricSelector[],
): Pick<ScenarioOutcome, "drops" | "unjudgedDrops"> {
  const drops = new Map<string, number>();
  let unjudgedDrops = 0;
  for (const one of series) {
    const { reason = "" } = one.tags;
    const count = countCounter([one], "dropped_iterations");
    if (count === 0 || reason === afterEarlyEnd) continue;
    drops.set(reason, (drops.get(reason) ?? 0) + count);
    if (!ownBounds.some((selector) => matchesTags(selector, one.tags))) unjudgedDrops += count;
  }
  return { drops, unjudgedDrops };
}

/**
 * A threshold judges the requests or iterations that it selects. One on checks judges all requests of the
 * scenarios that have such checks.
 */
function countUnjudged(
  own: readonly StoredSeries[],
  failedMetrics: readonly string[],
  boundsOn: (metric: string) => readonly MetricSelector[],
): Pick<ScenarioOutcome, "unjudgedRequests" | "unjudgedIterations"> {
  const split = (metric: string): { judged: StoredSeries[]; unjudged: StoredSeries[] } => {
    const bounds = boundsOn(metric);
    const { judged = [], unjudged = [] } = Object.groupBy(own, ({ tags }) =>
      bounds.some((bound) => matchesTags(bound, tags)) ? "judged" : "unjudged",
    );
    return { judged, unjudged };
  };
  const [checked, passed] = countRate(split("checks").judged, "checks");
  const names = new Set<string>();
  let [ended, failed, judgedFailures] = [0, 0, checked - passed];
  for (const metric of failedMetrics) {
    const { judged, unjudged } = split(metric);
    judgedFailures += countRate(checked > 0 ? own : judged, metric)[1];
    for (const one of checked > 0 ? [] : unjudged) {
      const [samples, trues] = countRate([one], metric);
      ended += samples;
      failed += trues;
      if (trues > 0) names.add(one.tags["name"] ?? "");
    }
  }
  const [iterations, failedIterations] = countRate(split("iteration_failed").unjudged, "iteration_failed");
  return {
    unjudgedRequests: { ended, failed, names },
    // An iteration often throws because a request or check of it failed.
    unjudgedIterations: { ended: iterations, failed: Math.max(0, failedIterations - judgedFailures) },
  };
}

function countCounter(series: readonly StoredSeries[], metric: string): number {
  return sumBy(series, ({ metrics }) => ofType(metrics.get(metric), "counter")?.total ?? 0);
}

function countTrend(series: readonly StoredSeries[], metric: string): number {
  return sumBy(series, ({ metrics }) => ofType(metrics.get(metric), "trend")?.count ?? 0);
}

function countRate(series: readonly StoredSeries[], metric: string): [samples: number, trues: number] {
  const rates = series.flatMap(({ metrics }) => ofType(metrics.get(metric), "rate") ?? []);
  return [sumBy(rates, ({ samples }) => samples), sumBy(rates, ({ trues }) => trues)];
}
