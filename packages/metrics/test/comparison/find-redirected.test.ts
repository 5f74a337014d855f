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

function responding(runs: readonly NamedRun[], statuses: Statuses, expected = "true"): NamedRun[] {
  const series = Object.entries(statuses).flatMap(([name, counts]) =>
    Object.entries(counts).map(([status, count]) => ({
      metric: "http_reqs",
      tags: { name, status, expected_response: expected },
      values: { count, rate: count / 60 },
      histogram: null,
    })),
  );
  return runs.map((run) => ({
    ...run,
    result: { ...run.result, series: [...run.result.series, ...series] },
  }));
}

function compare(
  one: readonly NamedRun[],
  two: readonly NamedRun[],
  isAnyRedirect = false,
): Pick<ComparisonResult, "verdict" | "messages" | "figures"> {
  const rules = { tolerance: 0.05, rateTolerance: 0.005, runNoise: 0.01, failsOnUndecided: false };
  return compareResults(
    one,
    two,
    { ...rules, isAnyMachine: false, isAnyGenerator: false, isAnyRedirect },
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
  expect(compare(pages, responding(faster, toLogin), true).verdict).toBe("ok");
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
  const { verdict } = compare(responding(base, one, expected), responding(faster, two, expected));
  expect(verdict).toBe("ok");
});
