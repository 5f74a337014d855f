import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import {
  limitProblems,
  limitProblemsOfSeveral,
  readLimits,
  type LimitedPlan,
} from "../../src/test-file/limits.ts";
import {
  arrivals,
  constantVus,
  perVuIterations,
  problemsOf,
  sharedIterations,
  testOf,
} from "./tests-for-plans.ts";

const plain: LimitedPlan = {
  baseUrl: "http://127.0.0.1:8080/shop",
  allowHosts: [],
  allowUnmeasured: false,
  http: defaultHttp,
  scenarios: [constantVus("browse", 5)],
};
const local = { hosts: ["127.0.0.1"], vus: null, durationMs: null };

describe("--limit-hosts", () => {
  test.each([
    [["127.0.0.1"], plain],
    [["127.0.0.1:8080"], plain],
    [["shop.example:443"], { ...plain, baseUrl: "https://shop.example" }],
    [["shop.example"], { ...plain, baseUrl: "https://SHOP.example" }],
    [["127.0.0.1", "api.example"], { ...plain, allowHosts: ["API.example:9000"] }],
    [["127.0.0.1"], { ...plain, baseUrl: null }],
    [["127.0.0.1", "[::1]"], { ...plain, http: { ...defaultHttp, hosts: { "127.0.0.1": ["::1"] } } }],
  ])("%j lets a test run that contacts only these hosts", (hosts, plan) => {
    expect(limitProblems({ ...local, hosts }, plan)).toEqual([]);
  });

  test.each([
    ["another site", { baseUrl: "http://shop.example" }, "shop.example:80 (baseUrl)"],
    ["another port", { baseUrl: "http://localhost:8080" }, "localhost:8080 (baseUrl)"],
    ["another host", { allowHosts: ["shop.example"] }, "shop.example (allowHosts)"],
    [
      "a host that begins with an allowed one",
      { allowHosts: ["127.0.0.1.example"] },
      "127.0.0.1.example (allowHosts)",
    ],
    [
      "a proxy",
      { http: { ...defaultHttp, proxy: "http://far.example:3128" } },
      "far.example:3128 (http.proxy)",
    ],
    [
      "another address for the host",
      { http: { ...defaultHttp, hosts: { "127.0.0.1": ["10.0.0.1"] } } },
      "10.0.0.1 (http.hosts)",
    ],
    [
      "a socket",
      { http: { ...defaultHttp, unixSocket: "/var/run/docker.sock" } },
      "socket /var/run/docker.sock (http.unixSocket)",
    ],
    [
      "a socket whose path equals an allowed host",
      { http: { ...defaultHttp, unixSocket: "127.0.0.1" } },
      "socket 127.0.0.1 (http.unixSocket)",
    ],
    [
      "another IPv6 address for the host",
      { http: { ...defaultHttp, hosts: { "127.0.0.1": ["::2"] } } },
      "[::2] (http.hosts)",
    ],
    [
      "a name server",
      { http: { ...defaultHttp, dns: { ...defaultHttp.dns, servers: ["10.0.0.53"] } } },
      "10.0.0.53 (http.dns.servers)",
    ],
    [
      "a proxy of a scenario",
      { scenarios: [{ ...constantVus("s"), http: { ...defaultHttp, proxy: "http://far.example:3128" } }] },
      "far.example:3128 (http.proxy)",
    ],
  ])("refuses %s", (_what, change: Partial<LimitedPlan>, contact) => {
    expect(limitProblems(local, { ...plain, ...change })).toEqual([
      `--limit-hosts: the test may contact ${contact}. Allowed: 127.0.0.1.`,
    ]);
  });

  test("refuses a test whose code may contact anything", () => {
    expect(limitProblems(local, { ...plain, allowUnmeasured: true })).toEqual([
      "--limit-hosts: the test has allowUnmeasured, with which its code may contact any host.",
    ]);
  });
});

test("--limit-vus counts the virtual users of all scenarios", () => {
  const scenarios = [constantVus("a", 5), arrivals("b", 7, { maxVUs: 6 })];
  expect(limitProblems({ ...local, vus: 11 }, { ...plain, scenarios })).toEqual([]);
  expect(limitProblems({ ...local, vus: 10 }, { ...plain, scenarios })).toEqual([
    "--limit-vus 10: the test plans up to 11 virtual users.",
  ]);
});

test("--limit-duration counts the graceful stop", () => {
  expect(limitProblems({ ...local, durationMs: 40_000 }, plain)).toEqual([]);
  expect(limitProblems({ ...local, durationMs: 30_000 }, plain)).toEqual([
    "--limit-duration 30 s: the test may run for 40 s, graceful stops included.",
  ]);
});

test("--limit-duration says what limits the time of a number of iterations", () => {
  const scenarios = [constantVus("browse", 5), sharedIterations("order"), perVuIterations("pay", 1, 1)];
  const [problem] = limitProblems({ ...local, durationMs: 45_000 }, { ...plain, scenarios });
  expect(problem).toMatch(/graceful stops included\. Set a shorter maxDuration for order, pay\.$/);
});

test("--limit-duration advises only what brings the end of a number of iterations within it", () => {
  const iterations = sharedIterations("order");
  const advice = (changes: {
    startTimeMs?: number;
    maxDurationMs?: number;
    gracefulStopMs?: number;
  }): string | undefined =>
    limitProblems(
      { ...local, durationMs: 45_000 },
      { ...plain, scenarios: [{ ...iterations, ...changes }] },
    )[0]?.replace(/^.*graceful stops included\./, "");
  expect(advice({})).toBe(" Set a shorter maxDuration for order.");
  expect(advice({ gracefulStopMs: 45_000 })).toBe(" Set a shorter maxDuration and gracefulStop for order.");
  expect(advice({ startTimeMs: 15_000 })).toBe(" Set a shorter maxDuration and gracefulStop for order.");
  expect(advice({ maxDurationMs: 1000, gracefulStopMs: 45_000 })).toBe(
    " Set a shorter gracefulStop for order.",
  );
  expect(advice({ startTimeMs: 45_000, maxDurationMs: 1000 })).toBe("");
});

test("tests that run together share the limit of virtual users, and tests that run in turn the limit of time", () => {
  const tests = [[constantVus("a", 3)], [constantVus("b", 3)]];
  const limits = { hosts: null, vus: 5, durationMs: 60_000 };
  expect(limitProblemsOfSeveral(limits, tests, true)).toEqual([
    "--limit-vus 5: the tests plan up to 6 virtual users together.",
  ]);
  expect(limitProblemsOfSeveral(limits, tests, false)).toEqual([
    "--limit-duration 1 m 0 s: the tests may run for 1 m 20 s in turn, graceful stops included.",
  ]);
  const wide = { hosts: null, vus: 6, durationMs: 80_000 };
  expect(limitProblemsOfSeveral(wide, tests, true)).toEqual([]);
  expect(limitProblemsOfSeveral(wide, tests, false)).toEqual([]);
});

test("limits are read from the command line, with a sentence for each that cannot be used", () => {
  const problems: string[] = [];
  const written = { limitHosts: ["127.0.0.1, Shop.example:8080"], limitVus: "5", limitDuration: "1m" };
  expect(readLimits(written, problems)).toEqual({
    hosts: ["127.0.0.1", "shop.example:8080"],
    vus: 5,
    durationMs: 60_000,
  });
  const spelled = ["[0:0:0:0:0:0:0:1]:80", "::1", "MÜNCHEN.example", "127.1:018181"];
  expect(readLimits({ limitHosts: spelled }, problems).hosts).toEqual([
    "[::1]:80",
    "[::1]",
    "xn--mnchen-3ya.example",
    "127.0.0.1:18181",
  ]);
  expect(problems).toEqual([]);
  readLimits({ limitHosts: ["*", "127.0.0.1:"] }, problems);
  expect(problems.splice(0)).toHaveLength(2);
  readLimits({ limitHosts: ["http://a.example/x", ""], limitVus: "0", limitDuration: "long" }, problems);
  expect(problems.map((problem) => problem.split(":", 1)[0])).toEqual([
    "--limit-hosts http",
    "--limit-hosts ",
    "--limit-vus 0",
    "--limit-duration long",
  ]);
});

test("a run that exceeds its limits is refused, and every excess is named", () => {
  const written = { limitHosts: ["shop.example"], limitVus: "2", vus: "3" };
  expect(problemsOf(testOf([constantVus("a")]), written)).toEqual([
    "--limit-hosts: the test may contact 127.0.0.1:8080 (baseUrl). Allowed: shop.example.",
    "--limit-vus 2: the test plans up to 3 virtual users.",
  ]);
});
