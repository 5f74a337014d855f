import { expect, test } from "vitest";

import { ScenarioFeeds } from "../../src/worker/feed-handles.ts";

test("a feed of other scenarios can be read as a whole, but gives no rows one by one", () => {
  const rows = ["ann", "bob"];
  const { users } = new ScenarioFeeds({ users: rows }, [], 7).handles({ index: 0, iterationNumber: 0 });
  expect(users?.rows).toEqual(rows);
  expect(() => users?.next()).toThrow(
    "feeds.users is not available in this scenario: add the scenario to the feed's scenarios.",
  );
});
