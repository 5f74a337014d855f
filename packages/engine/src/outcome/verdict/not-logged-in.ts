import { ofType } from "@bearhug/metrics/accumulator";
import type { SeriesStore } from "@bearhug/metrics/series-store";
import { sumBy } from "@bearhug/metrics/sum";
import type { Tags } from "@bearhug/metrics/tags";
import { formatCounted } from "@bearhug/text/number";

import type { ScenarioSentToLogin, TargetStore } from "../target-store.ts";
import { note, type Ending, type Reason } from "./ending.ts";

/** The least share of a name's requests. Fewer may be the first visits of users who then log in. */
const minShare = 0.95;
const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns requests that nearly always ended at the same login page, where nothing shows that the test knows:
 * its scenario has no checks, sends nothing that could log in, and never requests the login page itself.
 */
export function unnoticedLogins(store: SeriesStore, targets: TargetStore): ScenarioSentToLogin[] {
  const all = targets.sentToLogin;
  const only = all.filter((one) => all.every((other) => other === one || !isSameName(one, other)));
  return only.filter(({ scenario, name, page, requests }) => {
    const isOfScenario = (tags: Tags): boolean => tags["scenario"] === scenario;
    if (store.groupBy([], (tags) => isOfScenario(tags) && tags["check"] !== undefined).length > 0)
      return false;
    const countOf = (where: (tags: Tags) => boolean): number =>
      countRequests(store, (tags) => isOfScenario(tags) && where(tags));
    const sentThere = all.filter((one) => one.scenario === scenario && one.page === page);
    return (
      requests >= minShare * countOf((tags) => tags["name"] === name) &&
      countOf((tags) => tags["name"] === page) <= sumBy(sentThere, ({ requests }) => requests) &&
      countOf(({ method }) => method !== undefined && !reading.has(method)) === 0
    );
  });
}

/** Notes a test whose visitors may see a login page in place of the pages that they request. */
export function notLoggedIn({ sentToLogin }: Ending): Reason[] {
  const [first, ...more] = [...sentToLogin].sort((left, right) => right.requests - left.requests);
  if (first === undefined) return [];
  const { name, page, requests } = first;
  const others = more.length === 0 ? "" : `, and those of ${formatCounted(more.length, "other name")},`;
  const message = `${formatCounted(requests, "request")} of ${name}${others} ended at ${page}, which looks like a login page: the test may measure only that. Log in first, or check where requests end: check(response, endsAt("/…"))`;
  return [note(message)];
}

function isSameName(one: ScenarioSentToLogin, other: ScenarioSentToLogin): boolean {
  return one.scenario === other.scenario && one.name === other.name;
}

function countRequests(store: SeriesStore, where: (tags: Tags) => boolean): number {
  return sumBy(
    store.groupBy([], where),
    ({ metrics }) => ofType(metrics.get("http_reqs"), "counter")?.total ?? 0,
  );
}
