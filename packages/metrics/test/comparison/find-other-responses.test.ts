import type { ComparisonResult } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { compareResults } from "../../src/comparison/compare-results.ts";
import type { NamedRun } from "../../src/comparison/comparable.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";
import { simulateSide, type SimulatedResult } from "./simulated-results.ts";

const quiet: SimulatedResult = { seed: 1, seconds: 60, requestsPerSecond: 300 };
const base = simulateSide("base", [quiet]);
const faster = simulateSide("new", [{ ...quiet, seed: 2, factor: 0.2 }]);
const slower = simulateSide("new", [{ ...quiet, seed: 2, factor: 1.5 }]);

/** Counts of successful responses by name and status. */
type Statuses = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Bytes of each response, by name. */
type Sizes = Readonly<Record<string, number>>;

function responding(
  runs: readonly NamedRun[],
  statuses: Statuses,
  { expected = "true", sizes = {} }: { readonly expected?: string; readonly sizes?: Sizes } = {},
): NamedRun[] {
  const series = Object.entries(statuses).flatMap(([name, counts]) =>
    Object.entries(counts).flatMap(([status, count]) => {
      const tags = { name, status, expected_response: expected };
      const bytes = count * (sizes[name] ?? 0);
      return [
        { metric: "http_reqs", tags, values: { count, rate: count / 60 }, histogram: null },
        { metric: "data_received", tags, values: { count: bytes, rate: bytes / 60 }, histogram: null },
      ];
    }),
  );
  return runs.map((run) => ({
    ...run,
    result: { ...run.result, series: [...run.result.series, ...series] },
  }));
}

function compare(
  one: readonly NamedRun[],
  two: readonly NamedRun[],
  accepted = { isAnyRedirect: false, isAnySize: false },
): Pick<ComparisonResult, "verdict" | "messages" | "figures"> {
  const rules = { tolerance: 0.05, rateTolerance: 0.005, runNoise: 0.01, failsOnUndecided: false };
  return compareResults(
    one,
    two,
    { ...rules, ...accepted, isAnyMachine: false, isAnyGenerator: false },
    { tool: { name: "bearhug", version: "0" }, random: () => randomSource(1, 0), failedCode: 99 },
  );
}

const pages = responding(base, { "GET /": { 200: 500 }, "GET /a": { 200: 400 } });
const toLogin = { "GET /": { 302: 500 }, "GET /a": { 303: 390, 200: 10 }, "GET /login": { 200: 900 } };
const hint = "To compare anyway, add --allow redirects.";

test("redirects on the new side alone are no faster pages", () => {
  const { verdict, messages, figures } = compare(pages, responding(faster, toLogin));
  expect(verdict).toBe("undecided");
  expect(messages.at(-1)).toBe(
    `GET / and 1 more request were redirected (302) on the new side, but not in the base. ${hint}`,
  );
  // Failures are judged as usual.
  expect(figures.map(({ answer }) => answer)).toEqual(["undecided", "undecided", "ok"]);
  const accepted = { isAnyRedirect: true, isAnySize: false };
  expect(compare(pages, responding(faster, toLogin), accepted).verdict).toBe("ok");
});

test("redirects in the base alone are no slower pages, but a regression stays one", () => {
  const login = responding(base, { "GET /": { 307: 500 } });
  const sentence = `GET / was redirected (307) in the base, but not on the new side. ${hint}`;
  const found = compare(login, responding(faster, { "GET /": { 200: 500 } }));
  expect([found.verdict, found.messages.at(-1)]).toEqual(["undecided", sentence]);
  const worse = compare(login, responding(slower, { "GET /": { 200: 500 } }));
  expect([worse.verdict, worse.messages.at(-1)]).toEqual(["regressed", sentence]);
});

test("a request with a name of its own also counts the page that it was redirected to", () => {
  const other = responding(faster, { "GET /": { 302: 250, 200: 250 } });
  expect(compare(pages, other).verdict).toBe("undecided");
});

test("the responses of several runs of a side are counted together", () => {
  const runs = [...responding(faster, toLogin), ...responding(slower, { "GET /": { 200: 5000 } })];
  expect(compare(pages, runs).messages).not.toContainEqual(expect.stringContaining("GET / "));
});

test.each<[string, Statuses, Statuses, string?]>([
  ["redirects of both sides", toLogin, toLogin],
  ["responses that the browser's cache still had", { "GET /": { 200: 500 } }, { "GET /": { 304: 500 } }],
  ["few redirects", { "GET /": { 200: 500 } }, { "GET /": { 200: 400, 302: 100 } }],
  ["few responses", { "GET /": { 200: 19 } }, { "GET /": { 302: 500 } }],
  ["redirects that were failures", { "GET /": { 200: 500 } }, { "GET /": { 302: 500 } }, "false"],
])("%s leave the answer as it is", (_what, one, two, expected = "true") => {
  const { verdict } = compare(responding(base, one, { expected }), responding(faster, two, { expected }));
  expect(verdict).toBe("ok");
});

const statuses = { "GET /": { 200: 500 }, "GET /a": { 200: 400, 304: 90 }, "GET /b": { 200: 30 } };
const usual = { "GET /": 41_000, "GET /a": 3000, "GET /b": 2000 };
const ofSize = (runs: readonly NamedRun[], sizes: Sizes): NamedRun[] => responding(runs, statuses, { sizes });

test("far smaller responses on the new side may be error pages, and are no faster pages", () => {
  const small = ofSize(faster, { "GET /": 300, "GET /a": 300, "GET /b": 2000 });
  const { verdict, messages, figures } = compare(ofSize(base, usual), small);
  expect(verdict).toBe("undecided");
  expect(messages.at(-1)).toBe(
    "Each response to GET / and 1 more request had 300 B on the new side, but 41.0 kB in the base: the smaller one may be an error page. To compare anyway, add --allow sizes.",
  );
  expect(figures.map(({ answer, reason }) => [answer, reason])).toEqual([
    ["undecided", "The responses of one side are far smaller."],
    ["undecided", "The responses of one side are far smaller."],
    ["ok", undefined],
  ]);
  const accepted = { isAnyRedirect: false, isAnySize: true };
  expect(compare(ofSize(base, usual), small, accepted).verdict).toBe("ok");
});

test("far smaller responses in the base explain a regression", () => {
  const { verdict, messages } = compare(ofSize(base, { ...usual, "GET /": 300 }), ofSize(slower, usual));
  expect(verdict).toBe("regressed");
  expect(messages.at(-1)).toContain(
    "Each response to GET / had 300 B in the base, but 41.0 kB on the new side",
  );
});

test.each<[string, Sizes, Sizes]>([
  ["compressed responses", usual, { "GET /": 9000, "GET /a": 700, "GET /b": 500 }],
  [
    "small responses",
    { "GET /": 900, "GET /a": 900, "GET /b": 900 },
    { "GET /": 150, "GET /a": 150, "GET /b": 150 },
  ],
  ["far smaller responses to few requests", usual, { ...usual, "GET /b": 150 }],
  ["responses whose sizes are unknown", usual, {}],
])("%s leave the answer as it is", (_what, one, two) => {
  expect(compare(ofSize(base, one), ofSize(faster, two)).verdict).toBe("ok");
});
