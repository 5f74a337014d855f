import { expect, test } from "vitest";

import { reportNames, reportsOf } from "../../src/test-set/name-reports.ts";

test("reports have short names, and longer ones if several tests would share a name", () => {
  const files = ["load/home.load.ts", "load/shop/cart.ts", "smoke/cart.load.mts", "../other/visit.har.gz"];
  expect([...reportNames(files).values()]).toEqual(["home", "load-shop-cart", "smoke-cart", "visit.har"]);
  expect(reportsOf(["json=out/{test}.json", "html"], "home")).toEqual(["json=out/home.json", "html"]);
});
