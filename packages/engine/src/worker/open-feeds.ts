import { openRows } from "@bearhug/plan/feeds/open-rows";
import type { SharedFeed, SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";

import { deepFreeze } from "./deep-freeze.ts";
import type { RowsByFeed } from "./feed-handles.ts";
import { prototypeFor, withPrototype } from "./known-names.ts";

/** The rows of a test's feeds in this thread: frozen, and none has a column that no row of its feed has. */
export function openFeeds({ byName }: SharedFeeds): RowsByFeed {
  return Object.fromEntries(Object.entries(byName).map(([name, feed]) => [name, openFeed(name, feed)]));
}

function openFeed(name: string, feed: SharedFeed): readonly unknown[] {
  let columns = feed.format === "list" ? null : feed.columns;
  const prototype = prototypeFor({
    path: `feeds.${name}`,
    lacks: "no row has such a column",
    // Rows of JSON may lack what others have.
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
