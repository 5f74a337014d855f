import { sumBy } from "@bearhug/metrics/sum";
import { executorNames, executors } from "@bearhug/sdk/internal";

import type { ValidatedFeed } from "../definition/feed-options.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import { modelOf, peakVus } from "../executors/load-models.ts";
import type { FeedShare, PlannedScenario } from "../protocol/plan.ts";

/**
 * Numbers iterations over the whole test, so that each exists once and a seed produces the same ones again.
 * Scenarios with a known number of iterations come first, one after the other; the others share the remaining
 * numbers in turn.
 */
export function numberIterations(
  scenarios: readonly ValidatedScenario[],
): PlannedScenario["iterationIndexes"][] {
  return numberInTurn(scenarios.map((scenario) => modelOf(scenario).plannedIterations(scenario)));
}

/**
 * Numbers the items of several owners: the n-th item of an owner is offset + n · stride. A count is
 * null if it is not known.
 */
function numberInTurn(counts: readonly (number | null)[]): PlannedScenario["iterationIndexes"][] {
  const uncounted = counts.filter((count) => count === null).length;
  const counted = sumBy(counts, (count) => count ?? 0);
  let nextOffset = 0;
  let nextTurn = 0;
  return counts.map((count) => {
    if (count === null) return { offset: counted + nextTurn++, stride: uncounted };
    const offset = nextOffset;
    nextOffset += count;
    return { offset, stride: 1 };
  });
}

/** Returns, by scenario, the rows that it takes from each feed. Reports each feed with too few rows. */
export function planFeeds(
  feeds: readonly ValidatedFeed[],
  scenarios: readonly ValidatedScenario[],
  report: (feed: ValidatedFeed, problem: string) => void,
): ReadonlyMap<string, readonly FeedShare[]> {
  const shares = new Map<string, FeedShare[]>(scenarios.map(({ name }) => [name, []]));
  for (const feed of feeds) {
    const users = scenarios.filter(({ name }) => feed.scenarios?.includes(name) ?? true);
    const rows = feed.rows ?? 0;
    const counts = users.map((scenario) =>
      feed.per === "vu" ? peakVus(scenario) : modelOf(scenario).plannedIterations(scenario),
    );
    if (feed.isUnique && feed.atEnd === "wrap")
      for (const problem of tooFewRows(feed, rows, users, counts)) report(feed, problem);
    const places = numberInTurn(counts);
    for (const [index, { name }] of users.entries()) {
      // Only unique rows must differ between scenarios. Rows of other feeds begin with the
      // first in each scenario.
      const place = (feed.isUnique ? places[index] : null) ?? { offset: 0, stride: 1 };
      const { order, per, atEnd } = feed;
      shares.get(name)?.push({ feed: feed.name, rows, order, per, atEnd, ...place });
    }
  }
  return shares;
}

function tooFewRows(
  feed: ValidatedFeed,
  rows: number,
  users: readonly ValidatedScenario[],
  counts: readonly (number | null)[],
): string[] {
  const uncounted = users.filter((_, index) => counts[index] === null);
  if (uncounted.length > 0) return [describeUncounted(feed, uncounted, users)];
  const needed = sumBy(counts, (count) => count ?? 0);
  if (needed <= rows) return [];
  const what = feed.per === "vu" ? "virtual users" : "iterations";
  const parts = users.map(({ name }, index) => `${name} ${counts[index] ?? 0}`).join(", ");
  const remedy =
    feed.per === "vu"
      ? "Add rows, or use fewer virtual users (maxVUs of arrival rates)."
      : 'Add rows, use fewer iterations, or set atEnd: "stop" to end the scenario after the last row.';
  return [
    `feeds.${feed.name}: needs unique rows for up to ${needed} ${what} (${parts}), but has ${rows}. ${remedy}${nameUsers(feed, users)}`,
  ];
}

/** The load models that end after a number of iterations. */
const counted = executorNames.filter((name) => !executors[name].isTimed);

function describeUncounted(
  feed: ValidatedFeed,
  uncounted: readonly ValidatedScenario[],
  users: readonly ValidatedScenario[],
): string {
  const names = uncounted.map(({ name, executor }) => `${name} (${executor})`).join(", ");
  return `feeds.${feed.name}: unique rows need a known number of iterations, which ${names} ${uncounted.length === 1 ? "does" : "do"} not have. Set atEnd: "stop" to end the scenario after the last row, per: "vu" for one row for each virtual user, or use ${counted.join(", ")} or an arrival rate that is not "poisson".${nameUsers(feed, users)}`;
}

function nameUsers({ scenarios }: ValidatedFeed, users: readonly ValidatedScenario[]): string {
  if (scenarios !== null || users.length < 2) return "";
  return " If some scenarios do not use the feed, name those that do in its scenarios.";
}
