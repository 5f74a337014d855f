import { expect, test } from "vitest";

import { unreadMembers } from "./unread-members.ts";

test("a schema reads every member of its type", { timeout: 300_000 }, () => {
  expect(unreadMembers()).toEqual([]);
});
