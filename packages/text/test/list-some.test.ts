import { expect, test } from "vitest";
import { listSome } from "../src/list-some.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [["a", "b", "c"], "a, b and 1 more"],
  [["a", "b", "c", "d"], "a, b and 2 more"],
])("of %j, the first two are listed as %j", (names, text) => {
  expect(listSome(names, 2)).toBe(text);
});
