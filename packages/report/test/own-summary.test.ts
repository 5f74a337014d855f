import { expect, test } from "vitest";

import { renderOwnSummary } from "../src/terminal/terminal-reporter.ts";

const terminal = { colors: true, unicode: true };

test("a test's own summary is printed unchanged, with a line break at its end", () => {
  expect(renderOwnSummary("p95\t12 ms\nall good ✓", terminal)).toBe("p95\t12 ms\nall good ✓\n");
  expect(renderOwnSummary("done\r\n", terminal)).toBe("done\r\n");
  expect(renderOwnSummary("", terminal)).toBe("");
});

test("colors are kept if the terminal supports them", () => {
  const green = "\u001b[1;32mpassed\u001b[0m";
  expect(renderOwnSummary(green, terminal)).toBe(`${green}\n`);
  expect(renderOwnSummary(green, { ...terminal, colors: false })).toBe("passed\n");
});

test("other control characters are escaped", () => {
  expect(renderOwnSummary("\u001b[2J\u001b]0;title\u0007\rx\u202e", terminal)).toBe(
    "\\e[2J\\e]0;title\\u{07}\\rx\\u{202e}\n",
  );
});
