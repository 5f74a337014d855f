import { expect, test } from "vitest";

import { judgeTargets } from "../../compare/targets.ts";
import { figures, someResults } from "./some-results.ts";

test("a target is judged by the medians of both tools, and only if both were measured", () => {
  expect(judgeTargets({ ...someResults, firstRequest: [] })).toEqual([
    {
      title: "6 bytes, 64 connections: requests/s of `bearhug <url>`",
      wanted: "at least 0.6 × wrk",
      measured: "0.58 ×",
      isMet: false,
    },
  ]);
});

test("less CPU and memory than wanted is a target that is met", () => {
  const rounds = (cpuUs: number, peakRssMb: number) => [figures(1000, { cpuUs, peakRssMb })];
  const page = {
    name: "page-800-nginx",
    title: "a page",
    results: [
      { tool: "k6", title: "k6", rounds: rounds(100, 1000), problems: [] },
      { tool: "bearhug-script", title: "bearhug, script", rounds: rounds(59, 700), problems: [] },
    ],
  } as const;
  const outcomes = judgeTargets({ ...someResults, cases: [page], firstRequest: [] });
  expect(outcomes.map(({ wanted, measured, isMet }) => [wanted, measured, isMet])).toEqual([
    ["at least 1.1 × k6", "1.00 ×", false],
    ["at most 0.6 × k6", "0.59 ×", true],
    ["at most 0.6 × k6", "0.70 ×", false],
  ]);
});

test("the first request is judged by its median, and by k6's", () => {
  const outcomes = judgeTargets({ ...someResults, cases: [] });
  expect(outcomes.map(({ wanted, measured, isMet }) => [wanted, measured, isMet])).toEqual([
    ["within 300 ms", "280 ms", true],
    ["not after k6's (170 ms)", "280 ms", false],
  ]);
});
