import { expect, test } from "vitest";

import { renderSparkline } from "../src/sparkline.ts";

const levels = "12345678";

test.each([
  ["the greatest figure has the highest level", [1, 4, 8], "148"],
  ["every figure above 0 has a level", [0.001, 1000], "18"],
  ["nothing is drawn for null and 0", [null, 0, 5], "  8"],
  ["zeros alone draw nothing", [0, 0], "  "],
  ["no figures make an empty line", [], ""],
])("%s", (_, figures, line) => {
  expect(renderSparkline(figures, { levels })).toBe(line);
});

test("columns without a figure can be marked", () => {
  expect(renderSparkline([null, 3, 0], { levels, nothing: "·" })).toBe("·8·");
});
