import { expect, test } from "vitest";

import type { NamedRun } from "../../src/comparison/comparable.ts";
import { findOneSided } from "../../src/comparison/find-one-sided.ts";
import { simulateSide } from "./simulated-results.ts";

const [empty] = simulateSide("run", [{ seed: 1, seconds: 1, requestsPerSecond: 1 }]);

interface Counted {
  readonly requests: Readonly<Record<string, number>>;
  readonly checks?: Readonly<Record<string, number>>;
  readonly variant?: string;
}

function run({ requests, checks = {}, variant }: Counted): NamedRun {
  if (empty === undefined) throw new TypeError("nothing was simulated");
  const tags = variant === undefined ? {} : { variant };
  const series = [
    ...Object.entries(requests).map(([name, count]) => ({
      metric: "http_reqs",
      tags: { ...tags, name },
      values: { count, rate: count },
      histogram: null,
    })),
    ...Object.entries(checks).map(([check, fails]) => ({
      metric: "checks",
      tags: { ...tags, check },
      values: { rate: 0, passes: 0, fails },
      histogram: null,
    })),
  ];
  return { ...empty, result: { ...empty.result, series } };
}

test("requests and checks that only one side had are named, the most frequent first", () => {
  const base = run({
    requests: { "GET /": 300, "GET /a": 100, "GET /b": 200 },
    checks: { "has items": 300, "is open": 200 },
  });
  const other = run({ requests: { "GET /": 300, "GET /new": 50 }, checks: { "has items": 300 } });
  expect(findOneSided([base], [other])).toEqual([
    "GET /b and 1 more request were sent in the base, but not on the new side.",
    "GET /new was requested on the new side, but not in the base.",
    'The check "is open" ran in the base, but not on the new side.',
  ]);
});

test("a side is all its runs, and a name counts if a run of the side has it", () => {
  const both = run({ requests: { "GET /": 100, "GET /a": 50 } });
  expect(findOneSided([both, run({ requests: { "GET /": 100 } })], [both])).toEqual([]);
});

test("names that the other side may lack by chance are left out", () => {
  const base = run({ requests: { "GET /": 980, "GET /rare": 19, "GET /odd": 21 } });
  expect(findOneSided([base], [run({ requests: { "GET /": 1020 } })])).toEqual([
    "GET /odd was requested in the base, but not on the new side.",
  ]);
  expect(findOneSided([base], [run({ requests: { "GET /": 500 } })])).toEqual([]);
  expect(findOneSided([base], [run({ requests: {} })])).toEqual([]);
});

test("the sides of turns are the variants of one run", () => {
  const old = run({ requests: { "GET /": 100, "GET /a": 100 }, variant: "old" });
  const fresh = run({ requests: { "GET /": 100 }, variant: "new" });
  const together = {
    ...old,
    result: { ...old.result, series: [...old.result.series, ...fresh.result.series] },
  };
  const sides = ["old", "new"].map((variant) => [{ ...together, variant }]);
  expect(findOneSided(sides[0] ?? [], sides[1] ?? [])).toEqual([
    "GET /a was requested in the base, but not on the new side.",
  ]);
});
