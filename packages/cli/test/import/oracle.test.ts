import { expect, test } from "vitest";

import { accountForAll, capturesIn, unexplained } from "./oracle/account-for.ts";

test("each entry of a small capture is sent as it was recorded but for its values, or left out with a reason", async () => {
  const accounts = await accountForAll(capturesIn("fixtures/field"));
  expect(accounts.length).toBeGreaterThan(20);
  expect(accounts.flatMap(unexplained)).toEqual([]);
});
