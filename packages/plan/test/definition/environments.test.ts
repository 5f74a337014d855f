import { defineTest } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";
import { needsEnv, resolveTest } from "../../src/definition/resolve-test.ts";
import { declaredEnv, validateTest } from "../../src/definition/validate-test.ts";
import { readEnvValue } from "../../src/definition/env-value.ts";
import { messagesOf } from "./messages-of.ts";

const exec = (): void => undefined;
const shared = { executor: "shared-iterations", exec } as const;

describe("the text of a variable", () => {
  test.for([
    ["string", "", ""],
    ["number", "10", 10],
    ["number", " -1.5e3 ", -1500],
    ["number", "+9007199254740992", 2 ** 53],
    ["duration", "1m30s", 90_000],
    ["boolean", "true", true],
    ["boolean", "0", false],
    ["boolean", "FALSE", false],
  ] as const)("as %s: %j is %j", ([type, text, value]) => {
    expect(readEnvValue(type, text)).toEqual({ value });
  });

  test.for([
    ["number", "ten"],
    ["number", "0x10"],
    ["number", "1e999"],
    ["duration", "30"],
    ["duration", "1 sec"],
    ["boolean", "yes"],
  ] as const)("as %s: %j is refused, and displayed in the message", ([type, text]) => {
    expect(readEnvValue(type, text)).toEqual({
      problem: expect.stringMatching(/^must be .*, but is /) as string,
      rule: expect.not.stringContaining("but is") as string,
    });
  });

  test("as number: an integer that would be rounded is refused", () => {
    const problem = "is declared as a number, which rounds integers beyond 2^53. Declare it as a string";
    expect(readEnvValue("number", "9007199254740993")).toEqual({ problem, rule: problem });
  });
});

describe("declarations", () => {
  test("have defaults of their type; durations become milliseconds", () => {
    const env = {
      A: { type: "number", default: 5 },
      B: { type: "duration", default: "1m" },
      C: { type: "boolean", default: true },
      D: { default: "text" },
      E: {},
    } as const;
    const { env: declared } = declaredEnv(defineTest({ env, scenarios: { s: shared } }));
    expect(Object.values(declared).map(({ type, default: value }) => [type, value])).toEqual([
      ["number", 5],
      ["duration", 60_000],
      ["boolean", true],
      ["string", "text"],
      ["string", null],
    ]);
  });

  test("with a default of another type, or optional without being strings, are refused", () => {
    const env = {
      A: { type: "number", default: "5" },
      B: { type: "duration", default: "1 sec" },
      C: { type: "number", optional: true },
      D: { type: "date" },
    };
    expect(messagesOf({ env, scenarios: { s: shared } })).toEqual([
      'env.A.default must be a number such as 10, but is "5".',
      'env.B.default must be a duration such as 30s, 1m30s or 500ms, but is "1 sec".',
      "env.C.optional is only for strings: give the variable a default.",
      expect.stringMatching(/^env\.D\.type must be one of /),
    ]);
  });

  test("decide what a scenario may set", () => {
    const env = { USERS: { type: "number" }, PEAK: { type: "duration" } };
    const scenario = { ...shared, env: { USERS: "5", PEAK: "10s", USRES: 1 } };
    expect(messagesOf({ env, scenarios: { s: scenario } })).toEqual([
      'scenarios.s.env.USERS must be a number such as 10, but is "5".',
      'scenarios.s.env.USRES is not an environment variable of the test: did you mean "USERS"?',
    ]);
    const valid = { ...shared, env: { PEAK: "10s" } };
    const { test: read } = validateTest({ env, scenarios: { s: valid } });
    expect(read?.scenarios[0]?.env).toEqual({ PEAK: 10_000 });
  });
});

describe("options that are functions", () => {
  const definition = defineTest({
    env: { USERS: { type: "number" }, PEAK: { type: "duration", default: "1s" } },
    baseUrl: ({ env }) => `http://127.0.0.1:${env.USERS}`,
    setup: () => 1,
    vuState: () => ({}),
    scenarios: {
      a: { executor: "constant-vus", vus: ({ env }) => env.USERS, duration: "1s", exec },
      b: {
        executor: "constant-vus",
        env: { PEAK: 5000 },
        vus: 1,
        duration: ({ env }) => env.PEAK,
        exec,
      },
      c: {
        executor: "constant-arrival-rate",
        rate: ({ env }) => env.USERS,
        duration: "1s",
        arrivals: ({ env }) => (env.USERS > 5 ? "poisson" : "uniform"),
        expectFailures: ({ env }) => env.USERS > 5,
        exec,
      },
    },
    thresholds: {
      http_reqs: ({ env }) => [`count>${env.USERS}`],
      http_req_failed: () => [],
      checks: ["rate>99%"],
    },
  });

  test("are replaced by their results, except those that run later", () => {
    expect(needsEnv(definition)).toBe(true);
    const { env } = declaredEnv(definition);
    const { test: read, problems } = validateTest(resolveTest(definition, { USERS: 7, PEAK: 1000 }, env));
    expect(problems).toEqual([]);
    expect(read).toMatchObject({
      baseUrl: "http://127.0.0.1:7",
      hasSetup: true,
      scenarios: [
        { name: "a", vus: 7 },
        { name: "b", durationMs: 5000 },
        { name: "c", rate: 7, arrivals: "poisson", expectsFailures: true },
      ],
    });
    expect(read?.thresholds.map(({ metric, expression }) => [metric, expression])).toEqual([
      ["http_reqs", "count>7"],
      ["checks", "rate>99%"],
    ]);
  });

  test("are refused if they are async", () => {
    const scenarios = { a: { ...shared, vus: () => Promise.resolve(5) } };
    expect(messagesOf(resolveTest({ scenarios }, {}, {}))).toEqual([
      "scenarios.a.vus must be a number, but is a promise: don't make the function async.",
    ]);
  });

  test("are called only where an option may be a function", () => {
    let calls = 0;
    const call = (): void => {
      calls++;
    };
    const others = { ...shared, exce: call, rate: call, env: call };
    const scenarios = { a: others, b: { ...others, executor: "shared", vus: call }, c: { executor: call } };
    const misspelt = { setUp: call, name: call, scenarios, metrics: call };
    expect(needsEnv(misspelt)).toBe(false);
    resolveTest(misspelt, {}, {});
    expect(calls).toBe(0);
  });
});
