import { expect, test } from "vitest";
import { showDuration } from "../../src/show/duration.ts";

test.each([
  [0, "0 ms"],
  [0.4, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1 s"],
  [1240, "1.24 s"],
  [59_900, "59.9 s"],
  [59_990, "1 m 0 s"],
  [125_000, "2 m 5 s"],
  [3_599_000, "59 m 59 s"],
  [3_600_000, "1 h 0 m 0 s"],
  [18_095_000, "5 h 1 m 35 s"],
])("%d ms is displayed as %s", (ms, shown) => {
  expect(showDuration(ms)).toBe(shown);
});
