import { expect, test } from "vitest";

import type { CaseResults } from "../../compare/results.ts";
import { judgeTargets } from "../../compare/targets.ts";
import { figures, someResults } from "./some-results.ts";

test("a target is judged by the medians of both tools, and only if both were measured; memory also has a limit of its own", () => {
  expect(judgeTargets({ ...someResults, firstSeconds: [], firstRequest: [] })).toEqual([
    {
      title: "6 bytes: requests/s of `bearhug <url>`",
      wanted: "at least 0.8 × wrk",
      measured: [{ text: "0.58", isMet: false }],
    },
    {
      title: "6 bytes: peak memory of `bearhug <url>`",
      wanted: "at most 100 MB",
      measured: [{ text: "10 MB", isMet: true }],
    },
  ]);
});

const page = (name: string, cpuUs: number, peakRssMb: number): CaseResults => ({
  name,
  title: "a page",
  results: [
    {
      tool: "k6",
      title: "k6",
      rounds: [figures(1000, { cpuUs: 100, peakRssMb: 1000 })],
      problems: [],
    },
    {
      tool: "bearhug-script",
      title: "bearhug, script",
      rounds: [figures(1000, { cpuUs, peakRssMb })],
      problems: [],
    },
  ],
});

test("less CPU and memory than wanted is a target that is met", () => {
  const outcomes = judgeTargets({
    ...someResults,
    cases: [page("page-800-nginx", 59, 340)],
    firstSeconds: [],
    firstRequest: [],
  });
  expect(outcomes).toEqual([
    {
      title: "a page, nginx: requests/s of a script",
      wanted: "at least 3.7 × k6",
      measured: [{ text: "1.00", isMet: false }],
    },
    {
      title: "a page, nginx: CPU per request of a script",
      wanted: "at most 0.6 × k6",
      measured: [{ text: "0.59", isMet: true }],
    },
    {
      title: "a page, nginx: peak memory of a script",
      wanted: "at most 0.33 × k6",
      measured: [{ text: "0.34", isMet: false }],
    },
  ]);
});

test("a target of several cases is judged in each of them, in the order of the results", () => {
  const cases = [page("page-1600-caddy", 61, 1), page("other", 1, 1), page("page-800-caddy", 30, 1)];
  const [, cpu] = judgeTargets({ ...someResults, cases });
  expect(cpu?.measured).toEqual([
    { text: "0.61", isMet: false },
    { text: "0.30", isMet: true },
  ]);
});

test("the first second is judged by the median of its shares of the steady rate", () => {
  expect(judgeTargets({ ...someResults, cases: [], firstRequest: [] })).toEqual([
    {
      title: "first second of `bearhug <url>`",
      wanted: "at least 0.5 × its steady rate",
      measured: [{ text: "0.49", isMet: false }],
    },
  ]);
});

test("the first request is judged by its median, and by k6's", () => {
  const outcomes = judgeTargets({ ...someResults, cases: [], firstSeconds: [] });
  expect(outcomes).toEqual([
    {
      title: "first request of a script",
      wanted: "within 250 ms",
      measured: [{ text: "280 ms", isMet: false }],
    },
    {
      title: "first request of a script",
      wanted: "not after k6's (170 ms)",
      measured: [{ text: "280 ms", isMet: false }],
    },
  ]);
});
