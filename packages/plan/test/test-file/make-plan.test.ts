import { describe, expect, test } from "vitest";

import {
  arrivals,
  constantVus,
  perVuIterations,
  plan,
  problemsOf,
  rampingVus,
  sharedIterations,
  testOf,
} from "./tests-for-plans.ts";

const needed = { type: "string", default: null, optional: false, secret: false, description: null } as const;

describe("a plan", () => {
  test("contains all decisions as plain data", () => {
    const { plan: decided } = plan(testOf([constantVus("readers")]), {
      seed: "5",
      tag: ["team=web"],
      workers: "2",
    });
    expect(decided).toMatchObject({ testName: "a test", seed: 5, workers: 2, tags: { team: "web" } });
    expect(decided.scenarios).toMatchObject([{ scenario: { name: "readers" }, vuIdOffset: 0 }]);
    expect(structuredClone(decided)).toEqual(decided);
    expect(plan(testOf([constantVus("readers")], { name: null })).plan.testName).toBe("a file");
  });

  test("notes scenarios that start nothing, unless that is intended", () => {
    const idle = { ...rampingVus("idle"), startVUs: 0, stages: [{ durationMs: 1000, target: 0 }] } as const;
    expect(plan(testOf([constantVus("busy"), idle])).notes).toEqual([
      "scenario idle starts no iteration, so the run fails: its load has no virtual users, or too low a rate for its duration (if that is intended, set expectNoRequests: true).",
    ]);
    expect(plan(testOf([{ ...idle, expectsNoRequests: true }])).notes).toEqual([]);
  });

  test("is moved by --target to another origin, and keeps its path", () => {
    const rebased = (baseUrl: string | null, target: string): string | null =>
      plan(testOf([constantVus("r")], { baseUrl }), { target }).plan.baseUrl;
    expect(rebased("http://127.0.0.1:8080", "http://127.0.0.1:99")).toBe("http://127.0.0.1:99");
    expect(rebased(null, "https://127.0.0.1:99/")).toBe("https://127.0.0.1:99");
    expect(rebased("https://shop.example/api/v1/", "http://127.0.0.1:99")).toBe(
      "http://127.0.0.1:99/api/v1/",
    );
  });

  test.each([
    { baseUrl: "https://shop.example", base: ["shop.example:80", "shop.example:443"] },
    { baseUrl: "http://shop.example:8080/app/", base: ["shop.example:8080"] },
    { baseUrl: null, base: [] },
  ])("moves the hosts of the site of $baseUrl to --target, and no others", ({ baseUrl, base }) => {
    const named = testOf([constantVus("r")], {
      baseUrl,
      allowHosts: ["api.example"],
      siteHosts: ["cdn.example"],
    });
    expect(plan(named, { target: "http://127.0.0.1:99" }).plan).toMatchObject({
      allowHosts: ["api.example"],
      movedHosts: { base, further: ["cdn.example"] },
    });
    expect(plan(named).plan).toMatchObject({
      allowHosts: ["api.example", "cdn.example"],
      movedHosts: null,
    });
  });

  test.each([
    { cores: 4, vus: 100, workers: undefined, expected: 3 },
    { cores: 1, vus: 100, workers: undefined, expected: 1 },
    { cores: 8, vus: 2, workers: undefined, expected: 2 },
    { cores: 2, vus: 3, workers: "8", expected: 3 },
    { cores: 8, vus: 100, workers: "0", expected: 1 },
  ])(
    "on $cores cores with $vus VUs and --workers $workers has $expected workers",
    ({ cores, vus, workers, expected }) => {
      const written = workers === undefined ? {} : { workers };
      expect(plan(testOf([constantVus("r", vus)]), written, {}, cores).plan.workers).toBe(expected);
    },
  );

  test("takes variables from the command line, the environment and defaults, in this order", () => {
    const env = { A: needed, B: needed, C: { ...needed, default: "c" }, D: { ...needed, secret: true } };
    const given = plan(
      testOf([constantVus("r")], { env }),
      { env: ["A=flag"] },
      { A: "outer", B: "outer", D: "pass", X: "no" },
    );
    expect(given.plan.env).toEqual({ A: "flag", B: "outer", C: "c", D: "pass" });
    expect(given.plan.secrets).toEqual(["pass"]);
  });

  test("includes secrets that a scenario sets for itself", () => {
    const scenario = { ...constantVus("r"), env: { D: "other" } };
    const env = { D: { ...needed, secret: true } };
    expect(plan(testOf([scenario], { env }), {}, { D: "pass" }).plan.secrets).toEqual(["pass", "other"]);
  });

  test("judges the thresholds of the command line with those of the test", () => {
    const { thresholds } = plan(testOf([constantVus("r")]), {
      threshold: ["http_req_failed: rate<1%", "checks: rate>0.9"],
    });
    expect(thresholds.map(({ metric }) => metric)).toEqual(["http_req_failed", "checks"]);
  });
});

describe("a test that cannot run", () => {
  test("is refused with every problem at once, each in a sentence", () => {
    const env = { A: needed, B: { ...needed, description: "the other one" } };
    const problems = problemsOf(
      testOf(
        [constantVus("a"), rampingVus("b"), arrivals("c", 1e12, { arrivals: "poisson", onBusy: "queue" })],
        { env, warmupMs: 3_600_000 },
      ),
      {
        vus: "3",
        threshold: ["nothing: rate<1%", "http_req_failed: p(95)<1s"],
      },
    );
    expect(problems).toHaveLength(7);
    expect(problems.join("\n")).toMatch(/--vus.*--scenario a/);
    for (const word of [
      "Scenario c: its rate",
      "warmup 1 h",
      "A is not set",
      "B (the other one)",
      "nothing",
      "http_req_failed",
    ]) {
      expect(problems.join("\n")).toContain(word);
    }
  });

  test("is refused if --scenario names a scenario that it does not have", () => {
    expect(problemsOf(testOf([constantVus("a"), constantVus("b")]), { scenario: ["c"] })).toEqual([
      "--scenario c: the test has no such scenario. It has a, b.",
    ]);
    const shop = testOf([constantVus("browse"), constantVus("buy")]);
    expect(problemsOf(shop, { scenario: ["brows,buy,sell"] })).toEqual([
      "--scenario brows: the test has no such scenario. Did you mean browse?",
      "--scenario sell: the test has no such scenario. It has browse, buy.",
    ]);
  });

  test("is refused if --env names a variable that it does not declare", () => {
    const test = testOf([constantVus("a")], { env: { USERS: { ...needed, default: "1" } } });
    expect(problemsOf(test, { env: ["USRES=5", "REGION=eu"] })).toEqual([
      "--env USRES: the test declares no such variable. Did you mean USERS?",
      "--env REGION: the test declares no such variable. It declares USERS.",
    ]);
    expect(problemsOf(testOf([constantVus("a")]), { env: ["A=5"] })).toEqual([
      "--env A: the test declares no such variable. It declares none.",
    ]);
  });

  test("is refused if it has more shared iterations than there are tickets", () => {
    expect(problemsOf(testOf([sharedIterations("a", 2 ** 31)]))).toHaveLength(1);
    expect(problemsOf(testOf([sharedIterations("a", 2 ** 30)]))).toEqual([]);
  });
});

describe("an arrival rate", () => {
  test("is refused only if it starts more iterations than can be numbered", () => {
    expect(problemsOf(testOf([arrivals("a", 214_738_364)]))).toEqual([]);
    for (const rate of [214_738_365, 1e20, Number.MAX_VALUE]) {
      const problems = problemsOf(testOf([arrivals("a", rate)]));
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain("would start more than 2147383648 iterations");
    }
  });
});

describe("iterations for each VU", () => {
  test("are refused only if they are more than can be numbered", () => {
    expect(problemsOf(testOf([perVuIterations("a", 1000, 2_147_383)]))).toEqual([]);
    expect(problemsOf(testOf([perVuIterations("a", 1000, 2_147_384)]))).toEqual([
      "Scenario a: at most 2147383648 iterations are allowed in total.",
    ]);
  });
});

test("more virtual users than a machine has sockets for are refused, in every model", () => {
  const open = arrivals("a", 7, { maxVUs: 1_000_001 });
  for (const scenario of [constantVus("a", 1_000_001), sharedIterations("a", 5, 1e15), open]) {
    expect(problemsOf(testOf([scenario]))).toEqual([
      "Scenario a: at most 1000000 virtual users are allowed.",
    ]);
  }
  expect(problemsOf(testOf([constantVus("a", 1_000_000)]))).toEqual([]);
});

describe("a warm-up", () => {
  test("is set by the test or the command line, and must leave something to measure", () => {
    const test = testOf([constantVus("readers"), { ...constantVus("late"), startTimeMs: 5000 }], {
      warmupMs: 2000,
    });
    expect(plan(test).plan.warmupMs).toBe(2000);
    expect(plan(test, { warmup: "14s" }).plan.warmupMs).toBe(14_000);
    expect(plan(test, { warmup: "0s" }).plan.warmupMs).toBe(0);
    expect(problemsOf(test, { warmup: "15s" })).toEqual([
      "warmup 15 s: the load lasts 15 s, including the warm-up, so nothing would be measured.",
    ]);
  });
});
