import { describe, expect, test } from "vitest";

import { exampleOf, SeriesLimits } from "../src/registry.ts";

const named = { scenario: "buy", status: "200", name: "GET /", check: "is fine" };
const tags = { ...named, user: "7" };
const other = "(other)";

function limitsWith({ series = 0, metrics = 0, tagCharacters = 0 }): SeriesLimits {
  const limits = new SeriesLimits();
  for (let count = 0; count < series; count++) limits.addSeries();
  for (let count = 0; count < metrics; count++) limits.addMetric(0);
  limits.addMetric(tagCharacters);
  return limits;
}

describe("the tags that are still distinguished", () => {
  test.each([{ series: 1999 }, { metrics: 39_998 }, { tagCharacters: 15_999_999 }])(
    "are all tags with %o",
    (taken) => {
      expect(limitsWith(taken).fold(tags)).toEqual(tags);
    },
  );

  test.each([{ series: 2000 }, { metrics: 39_999 }, { tagCharacters: 16_000_000 }])(
    "exclude the test's own tags from %o on",
    (taken) => {
      expect(limitsWith(taken).fold(tags)).toEqual({ ...tags, user: other });
    },
  );

  test.each([{ series: 3000 }, { metrics: 59_999 }, { tagCharacters: 24_000_000 }])(
    "exclude names, too, from %o on",
    (taken) => {
      expect(limitsWith(taken).fold(tags)).toEqual({ ...tags, name: other, check: other, user: other });
    },
  );

  test.each([{ series: 4000 }, { metrics: 79_999 }, { tagCharacters: 32_000_000 }])(
    "are only the scenario from %o on, and the test's own tags are left out",
    (taken) => {
      const folded = { scenario: "buy", status: other, name: other, check: other };
      expect(limitsWith(taken).fold(tags)).toEqual(folded);
    },
  );
});

test("the example for a warning contains the folded tag and the first three", () => {
  const many = { a: "1", b: "2", c: "3", d: "4", e: "5" };
  expect(exampleOf(many, "e")).toEqual({ e: "5", a: "1", b: "2", c: "3" });
  expect(exampleOf(many, "b")).toEqual({ a: "1", b: "2", c: "3" });
});
