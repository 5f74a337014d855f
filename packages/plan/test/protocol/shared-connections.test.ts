import { expect, test } from "vitest";

import { SharedConnections } from "../../src/protocol/shared-connections.ts";

test("the peak is that of all workers together, however soon connections are closed", () => {
  const one = new SharedConnections();
  const other = new SharedConnections(one.buffer);
  expect(one.peak).toBe(0);
  one.opened();
  one.opened();
  one.closed();
  one.closed();
  other.opened();
  expect([one.peak, other.peak]).toEqual([2, 2]);
  one.opened();
  other.opened();
  expect([one.peak, other.peak]).toEqual([3, 3]);
});
