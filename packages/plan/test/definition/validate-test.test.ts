import { defineTest } from "@bearhug/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateTest } from "../../src/definition/validate-test.ts";
import { defaultHttp } from "../../src/http-options/option-table.ts";
import { messagesOf } from "./messages-of.ts";

const exec = (): void => undefined;
const scenarios = { readers: { executor: "shared-iterations", exec } };

describe("validateTest", () => {
  test("accepts a test that defineTest returned", () => {
    expect(
      validateTest(defineTest({ scenarios: { once: { executor: "shared-iterations", exec } } })).problems,
    ).toEqual([]);
  });

  test("returns a valid test as plain data, with defaults filled in", () => {
    const { test: valid, problems } = validateTest({ scenarios });
    expect(problems).toEqual([]);
    expect(valid).toEqual({
      name: null,
      tags: {},
      baseUrl: null,
      allowHosts: [],
      siteHosts: [],
      allowUnmeasured: false,
      http: defaultHttp,
      env: {},
      metrics: {},
      feeds: [],
      hasSetup: false,
      setupTimeoutMs: 60_000,
      hasTeardown: false,
      hasVuState: false,
      teardownTimeoutMs: 60_000,
      hasSummary: false,
      summaryTimeoutMs: 60_000,
      warmupMs: 0,
      scenarios: [
        {
          name: "readers",
          executor: "shared-iterations",
          startTimeMs: 0,
          gracefulStopMs: 30_000,
          expectsNoRequests: false,
          tags: {},
          env: {},
          http: defaultHttp,
          vus: 1,
          iterations: 1,
          maxDurationMs: 600_000,
        },
      ],
      thresholds: [],
    });
  });

  test("returns data that can be sent to a worker, without functions", () => {
    const { test: valid } = validateTest({
      name: "front page",
      baseUrl: "http://127.0.0.1:8080/shop/",
      allowHosts: ["api.example.com", "127.0.0.1:8080", "[::1]:8080"],
      siteHosts: ["cdn.example.com"],
      env: {
        REGION: { default: "eu" },
        SESSION: { secret: true, optional: true },
        API_TOKEN: { description: "from the vault" },
      },
      metrics: { basket_size: { type: "trend" }, queue_time: { type: "gauge", time: true } },
      setup: exec,
      setupTimeout: "2m",
      teardown: exec,
      scenarios,
      thresholds: { "checks{page~:^h}": ["rate>99%"] },
    });
    expect(structuredClone(valid)).toEqual(valid);
    expect(valid).toMatchObject({
      siteHosts: ["cdn.example.com"],
      env: {
        REGION: { default: "eu", secret: false, description: null },
        SESSION: { default: null, optional: true, secret: true, description: null },
        API_TOKEN: { default: null, optional: false, secret: true, description: "from the vault" },
      },
      metrics: { basket_size: { type: "trend", unit: null }, queue_time: { type: "gauge", unit: "ms" } },
      hasSetup: true,
      setupTimeoutMs: 120_000,
      hasTeardown: true,
    });
  });

  test.for([undefined, null, 5, "test", [], exec])("refuses %j as a whole", (value) => {
    expect(messagesOf(value)).toEqual([
      expect.stringMatching(/^The test must be the result of defineTest, but is .+\.$/),
    ]);
  });

  test("lists every problem at once, each with its place", () => {
    const { problems, test: valid } = validateTest({
      nmae: "front page",
      baseUrl: "127.0.0.1:8080",
      env: { "1ST": {} },
      metrics: { vus: { type: "gauge" }, basket: { type: "trand" } },
      setup: 5,
      scenarios: { readers: { executor: "constant-vus", vus: 0, exec }, writers: {} },
      thresholds: { http_req_failed: ["p(95)<1s"], baskets: ["avg<1"] },
    });
    expect(valid).toBeUndefined();
    expect(problems.map(({ path }) => path)).toEqual([
      "baseUrl",
      "setup",
      "nmae",
      'env["1ST"]',
      "metrics.vus",
      "metrics.basket.type",
      "scenarios.readers.vus",
      "scenarios.readers.duration",
      "scenarios.writers.executor",
      "thresholds.http_req_failed[0]",
      "thresholds.baskets",
    ]);
  });

  test.for([
    [
      { stages: [{ duration: "1m", target: 5 }] },
      'stages is not an option of a test: it is one of a scenario: scenarios: { main: { executor: "ramping-vus", stages: […], exec: … } }.',
    ],
    [
      { vus: 5 },
      'vus is not an option of a test: it is one of a scenario: scenarios: { main: { executor: "constant-vus", vus: 10, duration: "30s", exec: … } }.',
    ],
    [
      { insecureSkipTLSVerify: true },
      "insecureSkipTLSVerify is not an option of a test: write http: { tls: { insecureSkipTlsVerify: true } }.",
    ],
    [{ nmae: "x" }, 'nmae is not an option of a test: did you mean "name"?'],
    [
      { repeatedly: 1 },
      "repeatedly is not an option of a test: it takes name, tags, baseUrl, allowHosts, siteHosts, allowUnmeasured, http, env, metrics, feeds, vuState, setup, setupTimeout, scenarios, teardown, teardownTimeout, summary, summaryTimeout, warmup, expectNoRequests, expectFailures, thresholds.",
    ],
    [{ name: 5 }, "name must be a string, but is 5."],
    [{ name: " " }, "name must not be blank."],
    [{ name: "a\u001b[31m" }, "name must not contain control characters."],
    [
      { baseUrl: "ftp://a" },
      'baseUrl must be an http or https address such as "http://127.0.0.1:8080", without user, query or fragment, but is "ftp://a".',
    ],
    [
      { allowHosts: ["http://a"] },
      'allowHosts[0] must be a host such as "api.example.com" or "127.0.0.1:8080", but is "http://a".',
    ],
    [
      { siteHosts: ["cdn.example/a"] },
      'siteHosts[0] must be a host such as "api.example.com" or "127.0.0.1:8080", but is "cdn.example/a".',
    ],
    [{ setup: "x" }, 'setup must be a function, but is "x".'],
    [{ setupTimeout: 0 }, "setupTimeout must be longer than 0, but is 0."],
    [{ teardownTimeout: "1 m" }, 'teardownTimeout: Duration "1 m": did you mean "1m"?'],
    [{ summary: "all" }, 'summary must be a function, but is "all".'],
    [{ env: { "A-B": {} } }, "env.A-B must be named with letters, digits and _, and not begin with a digit."],
    [{ env: { A: { default: 5 } } }, "env.A.default must be a string, but is 5."],
    [{ env: { A: { optional: 1 } } }, "env.A.optional must be true or false, but is 1."],
    [{ env: { A: { optional: true, default: "" } } }, "env.A.optional can't be set together with a default."],
    [{ env: ["A"] }, "env must be an object, but is an array."],
    [
      { metrics: { http_reqs: { type: "counter" } } },
      "metrics.http_reqs has the name of a built-in metric: choose another.",
    ],
    [
      { metrics: { "a b": { type: "counter" } } },
      "metrics[\"a b\"] has a name with a space or one of { } , : ! ~ =, which can't be written in a threshold's key.",
    ],
    [
      { metrics: { a: { type: "histogram" } } },
      'metrics.a.type must be one of "counter", "gauge", "rate", "trend", but is "histogram".',
    ],
    [{ metrics: { a: { type: "counter", time: true } } }, "metrics.a.time is for trends and gauges only."],
    [{ scenarios: undefined }, "scenarios must be an object, but is missing."],
    [{ scenarios: {} }, "scenarios must have at least one scenario."],
    [{ scenarios: [] }, "scenarios must be an object, but is an array."],
  ] as const)("%j: %s", ([part, message]) => {
    expect(messagesOf({ scenarios, ...part })).toEqual([message]);
  });

  test("accepts any value without throwing, and reports problems for values that are not tests", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), fc.anything(), (anything, other) => {
        expect(validateTest(anything).problems).not.toEqual([]);
        validateTest({ scenarios: other, thresholds: anything, metrics: other, env: anything });
        validateTest({ scenarios: { a: anything }, thresholds: { vus: [anything], checks: other } });
      }),
    );
  });
});
