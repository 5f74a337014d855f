import { describe, expect, test } from "vitest";
import { validateTest } from "../../src/definition/validate-test.ts";
import { defaultHttp } from "../../src/http-options/option-table.ts";
import { messagesOf, scenarioMessagesOf } from "./messages-of.ts";

const exec = (): void => undefined;
const stages = [{ duration: "30s", target: 50 }];

const base = {
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
const open = { timeUnitMs: 1000, preAllocatedVUs: 0, maxVUs: 10_000, arrivals: "uniform", onBusy: "drop" };

describe("validateTest, on scenarios", () => {
  test("accepts stages that jump, and as many pre-allocated VUs as maxVUs", () => {
    const jump = [{ duration: 0, target: 10 }, ...stages];
    expect(scenarioMessagesOf({ executor: "ramping-vus", stages: jump })).toEqual([]);
    const same = { rate: 1, duration: "1s", preAllocatedVUs: 7, maxVUs: 7 };
    expect(scenarioMessagesOf({ executor: "constant-arrival-rate", ...same })).toEqual([]);
  });

  test.each([
    [undefined, undefined, false],
    [true, undefined, true],
    [undefined, true, true],
    [true, false, false],
  ])(
    "with expectNoRequests %s on the test and %s on the scenario expects none: %s",
    (whole, own, expected) => {
      const { test: validated } = validateTest({
        scenarios: { s: { executor: "shared-iterations", exec, expectNoRequests: own } },
        expectNoRequests: whole,
      });
      expect(validated?.scenarios[0]?.expectsNoRequests).toBe(expected);
    },
  );

  test.for([
    [{ executor: "shared-iterations" }, { vus: 1, iterations: 1, maxDurationMs: 600_000, ...base }],
    [
      { executor: "per-vu-iterations", vus: 3, iterations: 7, maxDuration: "1m" },
      { vus: 3, iterations: 7, maxDurationMs: 60_000, ...base },
    ],
    [
      { executor: "constant-vus", duration: "1m30s", startTime: "5s", gracefulStop: 0 },
      { ...base, vus: 1, durationMs: 90_000, startTimeMs: 5000, gracefulStopMs: 0, expectsNoRequests: false },
    ],
    [
      { executor: "ramping-vus", stages, startVUs: 0, tags: { tier: "gold" } },
      {
        ...base,
        startVUs: 0,
        stages: [{ durationMs: 30_000, target: 50 }],
        gracefulRampDownMs: 30_000,
        tags: { tier: "gold" },
      },
    ],
    [
      { executor: "constant-arrival-rate", rate: 0.5, duration: "90s" },
      { ...base, ...open, rate: 0.5, durationMs: 90_000 },
    ],
    [
      {
        executor: "ramping-arrival-rate",
        stages,
        timeUnit: "1m",
        preAllocatedVUs: 20_000,
        arrivals: "poisson",
        onBusy: "queue",
      },
      {
        ...base,
        startRate: 0,
        stages: [{ durationMs: 30_000, target: 50 }],
        timeUnitMs: 60_000,
        preAllocatedVUs: 20_000,
        maxVUs: 20_000,
        arrivals: "poisson",
        onBusy: "queue",
      },
    ],
  ] as const)("fills in the defaults of %j", ([options, expected]) => {
    const { test: valid, problems } = validateTest({ scenarios: { readers: { ...options, exec } } });
    expect(problems).toEqual([]);
    expect(valid?.scenarios).toEqual([{ name: "readers", executor: options.executor, ...expected }]);
  });

  const executors =
    '"shared-iterations", "per-vu-iterations", "constant-vus", "ramping-vus", "constant-arrival-rate", "ramping-arrival-rate"';

  test.for([
    [{}, `executor must be one of ${executors}, but is missing.`],
    [
      { executor: "ramping-vu" },
      `executor must be one of ${executors}, but is "ramping-vu": did you mean "ramping-vus"?`,
    ],
    [
      { executor: "shared-iterations", exec: undefined },
      "exec must be a function that runs one iteration, but is missing.",
    ],
    [{ executor: "shared-iterations", vus: 0 }, "vus must be 1 or more, but is 0."],
    [{ executor: "shared-iterations", vus: 1.5 }, "vus must be a whole number, but is 1.5."],
    [{ executor: "shared-iterations", iterations: "9" }, 'iterations must be a number, but is "9".'],
    [
      { executor: "shared-iterations", duration: "9s" },
      'duration is not an option of shared-iterations: did you mean "maxDuration"?',
    ],
    [
      { executor: "constant-vus", duration: "9s", iterations: 5 },
      "iterations is not an option of constant-vus: it takes executor, vus, duration, exec, startTime, gracefulStop, expectNoRequests, expectFailures, tags, env, http.",
    ],
    [
      { executor: "constant-vus" },
      'duration must be a time such as "30s", or a number of milliseconds, but is missing.',
    ],
    [{ executor: "constant-vus", duration: 0 }, "duration must be longer than 0, but is 0."],
    [
      { executor: "constant-vus", duration: "-5s" },
      'duration: Duration "-5s": expected a time such as "30s", "1m30s" or "500ms" at character 1.',
    ],
    [{ executor: "ramping-vus", stages: [] }, "stages must not be empty."],
    [
      { executor: "ramping-vus", stages: [{ duration: 0, target: 5 }] },
      "stages must be longer than 0 in total.",
    ],
    [
      { executor: "ramping-vus", stages: [{ duration: "5s", target: 0.5 }] },
      "stages[0].target must be a whole number, but is 0.5.",
    ],
    [
      { executor: "ramping-vus", stages: [{ duration: "5s", target: 5, traget: 6 }] },
      'stages[0].traget is not an option of a stage: did you mean "target"?',
    ],
    [
      { executor: "constant-arrival-rate", rate: 0, duration: "5s" },
      "rate must be greater than 0, but is 0.",
    ],
    [{ executor: "constant-arrival-rate", rate: NaN, duration: "5s" }, "rate must be a number, but is NaN."],
    [
      { executor: "constant-arrival-rate", rate: 1, duration: "5s", timeUnit: 0 },
      "timeUnit must be longer than 0, but is 0.",
    ],
    [
      { executor: "constant-arrival-rate", rate: 1, duration: "5s", preAllocatedVUs: 3, maxVUs: 2 },
      "preAllocatedVUs must not exceed maxVUs (2), but is 3.",
    ],
    [
      { executor: "constant-arrival-rate", rate: 1, duration: "5s", arrivals: "random" },
      'arrivals must be one of "uniform", "poisson", but is "random".',
    ],
    [
      { executor: "shared-iterations", tags: { page: "home" } },
      "tags.page is a tag that bearhug sets itself.",
    ],
    [{ executor: "shared-iterations", tags: { tier: 5 } }, "tags.tier must be a string, but is 5."],
    [
      { executor: "shared-iterations", env: { REGION: "eu" } },
      "env.REGION is not an environment variable of the test: declare it under the test's env.",
    ],
  ] as const)("%j: %s", ([options, message]) => {
    expect(scenarioMessagesOf(options)).toEqual([`scenarios.readers.${message}`]);
  });

  test("reports wrong tags and env of a scenario even if other options are wrong", () => {
    expect(
      scenarioMessagesOf({
        executor: "shared-iterations",
        vus: 0,
        tags: { page: "x" },
        env: { REGION: "eu" },
      }),
    ).toHaveLength(3);
  });

  test.for(["a,b", "a{b", "a}b", " a", "a ", "", "a\nb", "a\u2028b", "a\u202eb", "\ud800", "x".repeat(201)])(
    "refuses the name %j",
    (name) => {
      expect(messagesOf({ scenarios: { [name]: { executor: "shared-iterations", exec } } })).toHaveLength(1);
    },
  );

  test.for(["readers", "Leser*innen", "読者", "sign up: step 1", "🐻"])("accepts the name %j", (name) => {
    expect(messagesOf({ scenarios: { [name]: { executor: "shared-iterations", exec } } })).toEqual([]);
  });
});
