import { ofType } from "@bearhug/metrics/accumulator";
import type { SeriesStore } from "@bearhug/metrics/series-store";
import { loginPageWords } from "@bearhug/metrics/results/reason-words";
import { sumBy } from "@bearhug/metrics/sum";
import type { Tags } from "@bearhug/metrics/tags";
import { formatPlanned } from "@bearhug/text/duration";
import { formatCounted } from "@bearhug/text/number";

import {
  minLoginShare,
  type LoginStore,
  type ScenarioSentToLogin,
  type UnnoticedLogin,
} from "../login-store.ts";
import { note, type Ending, type Reason } from "./ending.ts";

/** The least that ends at a login page at the end of the run: of all requests of the name, and in number. */
const minShareAtEnd = 0.1;
const minRequestsAtEnd = 10;
const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns requests that ended at the same login page, from some time on or nearly always: logins, and visits of
 * a test that never requests that page itself. Nearly always may be meant if the scenario has checks or sends
 * something that could log in.
 */
export function unnoticedLogins(store: SeriesStore, logins: LoginStore): UnnoticedLogin[] {
  const all = logins.all();
  const only = all.filter((one) => all.every((other) => other === one || !isSameName(one, other)));
  return only.flatMap(({ scenario, name, page, requests, atEnd }): UnnoticedLogin[] => {
    const isOfScenario = (tags: Tags): boolean => tags["scenario"] === scenario;
    const countOf = (where: (tags: Tags) => boolean): number =>
      countRequests(store, (tags) => isOfScenario(tags) && where(tags));
    const ofName = countOf((tags) => tags["name"] === name);
    const isLogin = name.startsWith("POST ");
    const isAlways = requests >= minLoginShare * ofName;
    if (!isLogin) {
      const sentThere = all.filter((one) => one.scenario === scenario && one.page === page);
      if (countOf((tags) => tags["name"] === page) > sumBy(sentThere, (one) => one.requests)) return [];
      const checks = store.groupBy([], (tags) => isOfScenario(tags) && tags["check"] !== undefined);
      const maySend = countOf(({ method }) => method !== undefined && !reading.has(method)) > 0;
      if (isAlways && (maySend || checks.length > 0)) return [];
    }
    if (isAlways) return [{ name, page, requests, fromMs: null, isLogin }];
    const enough = Math.max(minRequestsAtEnd, minShareAtEnd * ofName);
    return atEnd === null || atEnd.requests < enough ? [] : [{ name, page, ...atEnd, isLogin }];
  });
}

/** Notes a test whose visitors may see a login page in place of the pages that they request. */
export function notLoggedIn({ sentToLogin }: Ending): Reason[] {
  const inOrder = sentToLogin.toSorted((left, right) => right.requests - left.requests);
  return [
    describe(inOrder.filter(({ isLogin }) => isLogin)),
    describe(inOrder.filter(({ isLogin }) => !isLogin)),
  ].flat();
}

/** Notes these requests as one; those that are most come first. */
function describe([first, ...more]: readonly UnnoticedLogin[]): Reason[] {
  if (first === undefined) return [];
  const { name, page, requests, fromMs } = first;
  const others = more.length === 0 ? "" : `, and those of ${formatCounted(more.length, "other name")},`;
  const where = `${others} ended at ${page}${loginPageWords}`;
  const what =
    fromMs === null
      ? `${formatCounted(requests, "request")} of ${name}${where}`
      : `from about ${formatPlanned(fromMs)} on, nearly all requests of ${name} (${requests})${where}`;
  return [note(`${what}: ${reasonFor(first)}, or check where requests end: check(response, endsAt("/…"))`)];
}

function reasonFor({ isLogin, fromMs }: UnnoticedLogin): string {
  if (isLogin) return "the logins may have failed. Look at their responses";
  return fromMs === null
    ? "the test may measure only that. Log in first"
    : "the session may have ended. Log in again in time";
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
