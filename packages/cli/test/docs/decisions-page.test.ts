import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/decisions.md"), "utf8");

test("docs/decisions.md has at most 40 kB, so that people read it before they decide something new", () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(40_000);
});

test("a decision in docs/decisions.md has at most five lines: 600 characters", () => {
  const decisions = page.split(/\n(?=- |#|\n)/).filter((text) => text.startsWith("- "));
  expect(decisions.length).toBeGreaterThan(0);
  expect(decisions.filter((text) => text.length > 600)).toEqual([]);
});
