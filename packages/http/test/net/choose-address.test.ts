import { expect, test } from "vitest";

import { inOrder } from "../../src/net/choose-address.ts";

const both = ["::1", "10.0.0.1", "10.0.0.2", "::2"].map((address) => ({
  address,
  family: address.includes(":") ? (6 as const) : (4 as const),
}));

test.each([
  ["preferIPv4", 0, ["10.0.0.1", "10.0.0.2", "::1", "::2"]],
  ["preferIPv4", 1, ["10.0.0.2", "10.0.0.1", "::1", "::2"]],
  ["preferIPv4", 2, ["10.0.0.1", "10.0.0.2", "::1", "::2"]],
  ["preferIPv6", 1, ["::2", "::1", "10.0.0.1", "10.0.0.2"]],
  ["onlyIPv4", 1, ["10.0.0.2", "10.0.0.1"]],
  ["onlyIPv6", 0, ["::1", "::2"]],
  ["any", 0, ["::1", "10.0.0.1", "10.0.0.2", "::2"]],
  ["any", 6, ["10.0.0.2", "::2", "::1", "10.0.0.1"]],
] as const)("%s, turn %i", (policy, turn, order) => {
  expect(inOrder(both, policy, turn).map(({ address }) => address)).toEqual(order);
});

test("a preferred family may be missing, a required one may not", () => {
  const four = both.filter(({ family }) => family === 4);
  expect(inOrder(four, "preferIPv6", 1).map(({ address }) => address)).toEqual(["10.0.0.2", "10.0.0.1"]);
  expect(inOrder(four, "onlyIPv6", 1)).toEqual([]);
  expect(inOrder([], "any", 3)).toEqual([]);
});
