import { getOrAdd } from "@bearhug/metrics/get-or-add";
import type { TaggedDeltas } from "@bearhug/metrics/snapshot";
import { sumBy } from "@bearhug/metrics/sum";
import type { SentToLogin, TargetDelta } from "@bearhug/metrics/target-log";
import { type Interval, Timeline } from "@bearhug/metrics/timeline";

/** The least share of a name's requests: others may be the first visits of users who then log in. */
export const minLoginShare = 0.95;

/** Requests of one scenario that ended at the same login page. */
export interface ScenarioSentToLogin extends SentToLogin {
  readonly scenario: string;
  /**
   * The last intervals of the run in which nearly all requests of the name ended there; null without any, and
   * if no more did than in the usual intervals before.
   */
  readonly atEnd: { readonly requests: number; readonly fromMs: number } | null;
}

/** Requests that ended at a login page, which the test does not seem to know. */
export interface UnnoticedLogin extends SentToLogin {
  /** From when on nearly all of them did; null if nearly all did from the start. */
  readonly fromMs: number | null;
  /** True for login forms that were sent, false for pages that were visited. */
  readonly isLogin: boolean;
}

/** The largest share in an interval before sessions begin to end one after another. */
const maxCalmShare = 0.1;
/** The most pairs of a name and a login page that are followed over time. */
const maxFollowed = 100;
const fields = {
  counts: {
    requests: { metric: "http_reqs", of: "sum" },
    // No metric: `LoginStore` adds them.
    sent: { metric: "", of: "sum" },
  },
  spreads: {},
} as const;
type FollowedInterval = Interval<keyof typeof fields.counts, never>;

/** The requests of one name that ended at one login page, over time. */
class LoginPage {
  readonly name: string;
  readonly #scenario: string;
  readonly #page: string;
  /** All requests of the name, once one has ended at the page; null if they are only counted. */
  readonly timeline: Timeline<"requests" | "sent", never> | null;
  requests = 0;

  constructor(scenario: string, name: string, page: string, isFollowed: boolean) {
    this.name = name;
    this.timeline = isFollowed ? new Timeline(fields) : null;
    this.#scenario = scenario;
    this.#page = page;
  }

  describe(): ScenarioSentToLogin {
    const { name, requests } = this;
    return { scenario: this.#scenario, name, page: this.#page, requests, atEnd: this.#atEnd() };
  }

  #atEnd(): ScenarioSentToLogin["atEnd"] {
    if (this.timeline === null) return null;
    const { intervals, widthMs } = this.timeline;
    // Requests are only followed from the first redirect on.
    const followed = intervals.findIndex(({ counts }) => counts.sent > 0);
    const lastBelow = (share: number, end: number): number =>
      intervals.findLastIndex(
        ({ counts }, index) => index < end && (index < followed || counts.sent < share * counts.requests),
      );
    const first = lastBelow(minLoginShare, intervals.length) + 1;
    const calm = lastBelow(maxCalmShare, first) + 1;
    const requests = sumOfSent(intervals.slice(first));
    // Visitors who log in in each visit are sent there first, and then no longer.
    const before = sumOfSent(intervals.slice(0, calm === 0 ? first : calm));
    return requests <= before ? null : { requests, fromMs: first * widthMs };
  }
}

function sumOfSent(intervals: readonly FollowedInterval[]): number {
  return sumBy(intervals, ({ counts }) => counts.sent);
}

/** Requests that ended at login pages, of all workers. */
export class LoginStore {
  /** By scenario and name. */
  readonly #pages = new Map<string, Map<string, LoginPage>>();
  #followed = 0;

  /** Adds a worker's second: redirects to login pages, and all requests of names that had any. */
  add(second: number, targets: readonly TargetDelta[], series: readonly TaggedDeltas[]): void {
    for (const { scenario, sentToLogin = [] } of targets)
      for (const { name, page, requests } of sentToLogin) {
        const sent = this.#of(scenario, name, page);
        sent.requests += requests;
        if (sent.timeline !== null) sent.timeline.at(second).counts.sent += requests;
      }
    if (this.#pages.size === 0) return;
    for (const { tags, metrics } of series)
      for (const { timeline } of this.#pages.get(keyOf(tags["scenario"], tags["name"]))?.values() ?? [])
        timeline?.add(second, [{ id: 0, tags, metrics }]);
  }

  all(): ScenarioSentToLogin[] {
    return [...this.#pages.values()].flatMap((pages) =>
      Array.from(pages.values(), (page) => page.describe()),
    );
  }

  #of(scenario: string, name: string, page: string): LoginPage {
    const pages = getOrAdd(this.#pages, keyOf(scenario, name), () => new Map<string, LoginPage>());
    return getOrAdd(pages, page, () => new LoginPage(scenario, name, page, this.#followed++ < maxFollowed));
  }
}

function keyOf(scenario: string | undefined, name: string | undefined): string {
  return JSON.stringify([scenario, name]);
}
