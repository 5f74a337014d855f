import { basename, join } from "node:path";

import { expect, test } from "vitest";

import { hasChromium, launchChromium } from "../chromium.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { accountForAll, renderAccounts, capturesIn, unexplained } from "../import/oracle/account-for.ts";
import { writeAnyRequests } from "../import/oracle/any-requests.ts";
import { recordDemo } from "../import/record-demo.ts";
import { captureAt, describeCaptures } from "../import/recorded-captures.ts";
import { watchDemo } from "../import/watch-demo.ts";

/** Accounts for captures, and prints a row for each. */
async function expectToAccountFor(captures: Readonly<Record<string, string>>): Promise<void> {
  const accounts = await accountForAll(captures);
  console.log(renderAccounts(accounts));
  expect(accounts.flatMap(unexplained)).toEqual([]);
}

test.each(["fixtures/field", "pairs/golden"] as const)(
  "each entry of the captures in %s belongs to a class",
  (folder) => expectToAccountFor(capturesIn(folder)),
);

test("each of many generated requests, however spelled, belongs to a class", () =>
  expectToAccountFor({ any: writeAnyRequests(3000) }));

describeCaptures("captures", (names) => {
  test("each entry of each capture belongs to a class", () =>
    expectToAccountFor(Object.fromEntries(names.map((name) => [basename(name, ".har"), captureAt(name)]))));
});

test.skipIf(!hasChromium)("each entry of a Chromium visit to the demo site belongs to a class", async () => {
  const capture = join(temporaryFolder(), "demo.har");
  const browser = await launchChromium();
  const site = await watchDemo();
  try {
    await recordDemo(browser, site.url, capture, () => Promise.resolve());
  } finally {
    await browser.close();
    await site.close();
  }
  await expectToAccountFor({ demo: capture });
});
