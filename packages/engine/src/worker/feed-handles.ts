import { rowOrder, type RowOrder } from "@bearhug/plan/feeds/row-order";
import type { FeedShare } from "@bearhug/plan/protocol/plan";
import type { FeedHandle } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";

import { prototypeFor, withPrototype } from "./known-names.ts";

/** Rows by the names of feeds, frozen. */
export type RowsByFeed = Readonly<Record<string, readonly unknown[]>>;

/** Called with each row that the test takes, and the name of its feed. */
export type OnRow = (row: unknown, feed: string) => void;

/** One feed as one scenario uses it: the same for all its virtual users. */
interface ScenarioFeed {
  readonly name: string;
  readonly rows: readonly unknown[];
  /** Null if the feed's `scenarios` leave this scenario out. */
  readonly share: FeedShare | null;
  readonly order: RowOrder;
}

/** The properties of a running virtual user that choose its rows. */
export interface RowTaker {
  /** Its number in the scenario, from 0. */
  readonly index: number;
  /** The number of its running iteration in the scenario, from 0. */
  readonly iterationNumber: number;
}

/** The feeds of a test as one scenario uses them. */
export class ScenarioFeeds {
  readonly #feeds: readonly ScenarioFeed[];
  readonly #prototype: object;
  readonly #onRow: OnRow | null;

  /** `onRow` is called with each row that the test takes; null for no callback. */
  constructor(
    rowsByFeed: RowsByFeed,
    shares: readonly FeedShare[],
    seed: number,
    onRow: OnRow | null = null,
  ) {
    this.#onRow = onRow;
    this.#prototype = prototypeOfFeeds(Object.keys(rowsByFeed));
    this.#feeds = Object.entries(rowsByFeed).map(([name, rows]) => {
      const share = shares.find(({ feed }) => feed === name) ?? null;
      return { name, rows, share, order: rowOrder(share?.order ?? "sequential", rows.length, seed, name) };
    });
  }

  /** Returns the `feeds` of one virtual user's context. */
  handles(taker: RowTaker): AnyContext["feeds"] {
    if (this.#feeds.length === 0) return noFeeds;
    const handles = this.#feeds.map((feed) => [feed.name, handle(feed, taker, this.#onRow)] as const);
    return withPrototype(Object.fromEntries(handles), this.#prototype);
  }
}

function prototypeOfFeeds(names: readonly string[]): object {
  return prototypeFor({ path: "feeds", lacks: "the test has no such feed", known: () => names });
}

const noFeeds: AnyContext["feeds"] = Object.freeze(withPrototype({}, prototypeOfFeeds([])));

function handle(
  { name, rows, share, order }: ScenarioFeed,
  taker: RowTaker,
  onRow: OnRow | null,
): FeedHandle<unknown> {
  let lastNumber: number | null = null;
  let row: unknown;
  const next = (): unknown => {
    if (share === null)
      throw new TypeError(
        `feeds.${name} is not available in this scenario: add the scenario to the feed's scenarios.`,
      );
    const number = share.per === "vu" ? taker.index : taker.iterationNumber;
    if (number !== lastNumber) {
      row = rows[order(share.offset + number * share.stride)];
      lastNumber = number;
    }
    onRow?.(row, name);
    return row;
  };
  return Object.freeze({ next, rows });
}

/** Returns how many iterations a scenario can start before a feed with `atEnd: "stop"` runs out of rows. */
export function iterationsBeforeEnd(shares: readonly FeedShare[]): number {
  const limits = shares
    .filter(({ atEnd }) => atEnd === "stop")
    .map(({ rows, offset, stride }) => Math.max(0, Math.ceil((rows - offset) / stride)));
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}
