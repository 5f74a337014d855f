import fc from "fast-check";
import { expect, test } from "vitest";

import { nameProblem, nameRun } from "../../src/kubernetes/run-names.ts";

test.each([
  ["shop.ts", "shop-a1b2c3"],
  ["Checkout & payment", "checkout-payment-a1b2c3"],
  ["rush-hour.test.ts", "rush-hour-a1b2c3"],
  ["24h.ts", "run-24h-a1b2c3"],
  ["負荷", "run-a1b2c3"],
])("a run of %s is called %s", (testName, name) => {
  expect(nameRun(testName, "a1b2c3")).toBe(name);
});

test("the name of any test gives its run a name that Kubernetes accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (testName) => {
      expect(nameProblem(nameRun(testName, "a1b2c3"))).toBeNull();
    }),
  );
});

test("a name that Kubernetes would refuse is refused, and the message says which names are allowed", () => {
  expect(nameProblem("shop_1")).toBe(
    "--name shop_1: use at most 40 lower-case letters, digits and hyphens, and start with a letter.",
  );
  expect(["Shop", "1shop", "shop-", "", "s".repeat(41)].map(nameProblem)).not.toContain(null);
});
