import { openRows } from "@bearhug/plan/feeds/open-rows";
import type { SharedFeed, SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";

import { deepFreeze } from "./deep-freeze.ts";
import type { RowsByFeed } from "./feed-handles.ts";
import { prototypeFor, withPrototype } from "./known-names.ts";

/**
 * Returns the rows of a test's feeds in this thread. They are frozen, and reading a column that no row has
 * throws.
 */
export function openFeeds({ byName }: SharedFeeds): RowsByFeed {
  return Object.fromEntries(Object.entries(byName).map(([name, feed]) => [name, openFeed(name, feed)]));
}

function openFeed(name: string, feed: SharedFeed): readonly unknown[] {
  let columns = feed.format === "list" ? null : feed.columns;
  const prototype = prototypeFor({
    path: `feeds.${name}`,
    lacks: "no row has such a column",
    // Rows of JSON may lack columns that other rows have.
    known: () => (columns ??= [...new Set(rows.flatMap(namesOf))]),
  });
  const rows = openRows(feed, (row) => deepFreeze(isPlain(row) ? withPrototype(row, prototype) : row));
  return rows;
}

function isPlain(row: unknown): row is object {
  return typeof row === "object" && row !== null && Object.getPrototypeOf(row) === Object.prototype;
}

function namesOf(row: unknown): string[] {
  return typeof row === "object" && row !== null ? Object.keys(row) : [];
}
