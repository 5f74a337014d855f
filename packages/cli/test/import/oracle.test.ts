import { expect, test } from "vitest";

import { writeAnyRequests } from "./oracle/any-requests.ts";
import { accountForAll, capturesIn, unexplained } from "./oracle/account-for.ts";

/** Long, because each capture is imported and run in its own processes. */
const timeout = 180_000;

test(
  "each entry of a small capture is sent as recorded except for its values, or left out with a reason",
  { timeout },
  async () => {
    const accounts = await accountForAll(capturesIn("fixtures/field"));
    expect(accounts.length).toBeGreaterThan(20);
    expect(accounts.flatMap(unexplained)).toEqual([]);
  },
);

test("requests in any spelling are sent as recorded", { timeout }, async () => {
  const accounts = await accountForAll({ any: writeAnyRequests(200) });
  expect(accounts.flatMap(unexplained)).toEqual([]);
});
