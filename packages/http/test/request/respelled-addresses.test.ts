import { expect, test } from "vitest";

import { isRespelled } from "../../src/request/redirects.ts";

test.each([
  ["http://shop.test/orders", "http://shop.test/orders/"],
  ["http://shop.test/orders/?page=1", "http://shop.test/orders"],
  ["http://shop.test/orders", "https://shop.test/orders"],
  ["http://shop.test:8080/", "https://shop.test/"],
  ["https://shop.test/orders", "https://www.shop.test/orders"],
])("%s is spelled %s by the server", (from, to) => {
  expect(isRespelled(new URL(from), new URL(to))).toBe(true);
});

test.each([
  ["http://shop.test/orders", "http://shop.test/orders"],
  ["http://shop.test/orders", "http://shop.test/orders?saved=1"],
  ["http://shop.test/orders", "http://shop.test/orders/7"],
  ["http://shop.test/contact", "http://shop.test/contact/?sent=1"],
  ["http://shop.test/login", "https://shop.test/login?error"],
  ["http://shop.test/orders", "http://shop.test/"],
  ["http://auth.test/", "http://shop.test/"],
])("%s and %s are two pages, or one that is shown again", (from, to) => {
  expect(isRespelled(new URL(from), new URL(to))).toBe(false);
});
