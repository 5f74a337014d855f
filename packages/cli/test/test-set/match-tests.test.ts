import { expect, test } from "vitest";

import { isMatch, readPattern } from "../../src/test-set/match-tests.ts";
import { constantVus, testOf } from "../../../plan/test/test-file/tests-for-plans.ts";

const checkout = testOf([{ ...constantVus("browse"), tags: { device: "phone" } }], {
  name: "Checkout",
  tags: { team: "shop" },
});

test.for([
  ["load/pay", true],
  ["^checkout$", true],
  ["BROWSE", true],
  ["team=(shop|search)", true],
  ["device=phone", true],
  ["shop=team", false],
  ["check out", false],
] as const)("--grep %s finds the test: %s", ([pattern, isFound]) => {
  const read = readPattern(pattern, []);
  expect(read !== null && isMatch(read, "load/pay.load.ts", checkout)).toBe(isFound);
});

test("a pattern that is no regular expression is reported", () => {
  const problems: string[] = [];
  expect(readPattern("(", problems)).toBeNull();
  expect(problems).toEqual([expect.stringMatching(/^--grep \(: is not a regular expression: /)]);
});
