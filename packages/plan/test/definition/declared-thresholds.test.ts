import { parseThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { describe, expect, test } from "vitest";
import { validateTest } from "../../src/definition/validate-test.ts";
import { messagesOf, thresholdMessagesOf } from "./messages-of.ts";

const exec = (): void => undefined;
const scenarios = { readers: { executor: "shared-iterations", exec } };

describe("validateTest, on thresholds", () => {
  test("reads expressions, filters and options", () => {
    const { test: valid } = validateTest({
      scenarios,
      thresholds: {
        http_req_failed: ["rate<1%"],
        "http_req_duration{scenario:readers,name~:^GET}": [
          { threshold: "p95<0.3s", abortOnFail: true, delayAbortEval: "10s", window: "5s", allowEmpty: true },
        ],
      },
    });
    expect(valid?.thresholds).toEqual([
      {
        metric: "http_req_failed",
        expression: "rate<1%",
        selector: { metric: "http_req_failed", filters: [] },
        condition: { aggregation: { kind: "rate" }, operator: "<", bound: 0.01, unit: "%" },
        abortOnFail: false,
        delayAbortEvalMs: 0,
        windowMs: null,
        allowEmpty: false,
      },
      {
        metric: "http_req_duration{scenario:readers,name~:^GET}",
        expression: "p95<0.3s",
        selector: {
          metric: "http_req_duration",
          filters: [
            { tag: "scenario", operator: "equals", value: "readers" },
            { tag: "name", operator: "matches", value: "^GET", pattern: /^GET/ },
          ],
        },
        condition: {
          aggregation: { kind: "percentile", percentile: 95 },
          operator: "<",
          bound: 300,
          unit: "s",
        },
        abortOnFail: true,
        delayAbortEvalMs: 10_000,
        windowMs: 5000,
        allowEmpty: true,
      },
    ]);
  });

  test.for([
    [
      { http_req_duraton: ["avg<1"] },
      'thresholds.http_req_duraton: no metric is called "http_req_duraton": did you mean "http_req_duration"?',
    ],
    [{ cart: ["avg<1"] }, 'thresholds.cart: no metric is called "cart": declare it under metrics.'],
    [
      { basket_size: ["avg<1ms"] },
      'thresholds.basket_size[0]: "ms" does not fit basket_size, which is not a time: leave the unit out, or declare it with time: true.',
    ],
    [
      { queue_time: ["avg<1ms", "rate<1"] },
      "thresholds.queue_time[1]: queue_time is a trend and has no rate: use min, avg, med, max, p(N) or count.",
    ],
    [
      { http_req_failed: ["p(95)<1s"] },
      "thresholds.http_req_failed[0]: http_req_failed is a rate and has no p(95): use rate.",
    ],
    [
      { http_reqs: ["count>"] },
      'thresholds.http_reqs[0]: Threshold "count>": expected a number at character 7.',
    ],
    [
      { "http_reqs{page}": ["count>1"] },
      'thresholds["http_reqs{page}"]: Metric "http_reqs{page}": expected ":", "!:" or "~:" at character 15.',
    ],
    [
      { "http_reqs{scenario:reader}": ["count>1"] },
      'thresholds["http_reqs{scenario:reader}"]: no scenario is called "reader": did you mean "readers"?',
    ],
    [
      { "http_reqs{scenario!:writers}": ["count>1"] },
      'thresholds["http_reqs{scenario!:writers}"]: no scenario is called "writers": there is "readers".',
    ],
    [
      { http_reqs: "count>1" },
      'thresholds.http_reqs must be an array such as ["p(95)<300ms"], but is "count>1".',
    ],
    [{ http_reqs: [] }, 'thresholds.http_reqs must be an array such as ["p(95)<300ms"], but is empty.'],
    [{ http_reqs: [5] }, 'thresholds.http_reqs[0] must be an expression such as "p(95)<300ms", but is 5.'],
    [{ http_reqs: [{}] }, "thresholds.http_reqs[0].threshold must be a string, but is missing."],
    [
      { http_reqs: [{ threshold: "count>1", abortOnFial: true }] },
      'thresholds.http_reqs[0].abortOnFial is not an option of a threshold: did you mean "abortOnFail"?',
    ],
    [
      { http_reqs: [{ threshold: "count>1", window: "10ms" }] },
      'thresholds.http_reqs[0].window must be 1000 ms or longer, but is "10ms".',
    ],
    [
      { http_reqs: [{ threshold: "count>1", window: "2.5s" }] },
      'thresholds.http_reqs[0].window must be whole seconds, such as "10s".',
    ],
    [[], "thresholds must be an object, but is an array."],
  ] as const)("%j: %s", ([thresholds, message]) => {
    expect(thresholdMessagesOf(thresholds)).toEqual([message]);
  });

  test("reads thresholds on gauges of monitors, whose percentages are not fractions of 1", () => {
    const thresholds = { "server.cpu": ["avg<80%"], "db.process_memory": ["max<2GB"] };
    const { test: valid } = validateTest({ scenarios, thresholds });
    expect(valid?.thresholds).toMatchObject([
      { metric: "server.cpu", condition: { aggregation: { kind: "avg" }, bound: 80 } },
      { metric: "db.process_memory", condition: { aggregation: { kind: "max" }, bound: 2e9 } },
    ]);
    expect(parseThreshold("server.cpu", "avg<80%").condition.bound).toBe(80);
  });

  test("reads a dotted metric of the test's own as the type that it declares", () => {
    const metrics = { "shop.basket": { type: "trend" } };
    const { test: valid } = validateTest({ metrics, scenarios, thresholds: { "shop.basket": ["p(95)<5"] } });
    expect(valid?.thresholds).toMatchObject([{ metric: "shop.basket" }]);
  });

  test.for([
    [
      { "server.cpu": ["p(95)<80%"] },
      'thresholds["server.cpu"][0]: server.cpu is a monitored gauge and has no p(95): use avg, min, max or value.',
    ],
    [
      { "server.cpu": ["avg<80"] },
      'thresholds["server.cpu"][0]: server.cpu is in percent: write its bound with "%", such as avg<80%.',
    ],
    [
      { "server.cpu{scenario:readers}": ["avg<80%"] },
      'thresholds["server.cpu{scenario:readers}"]: server.cpu is read by a monitor and has no tags: leave the filter out.',
    ],
  ] as const)("refuses %j", ([thresholds, message]) => {
    expect(thresholdMessagesOf(thresholds)).toEqual([message]);
  });

  test("refuses a filter that can never select a sample, unless the threshold may be empty", () => {
    const thresholds = {
      "http_req_duration{method:get,status:ok}": ["p(95)<1s", { threshold: "max<2s", allowEmpty: true }],
      "checks{name:GET /}": [{ threshold: "rate>1%", allowEmpty: true }],
      "iterations{page:home}": [{ threshold: "count>1" }],
    };
    expect(thresholdMessagesOf(thresholds)).toEqual([
      'thresholds["http_req_duration{method:get,status:ok}"][0]: methods are in capitals: write {method:GET}.',
      'thresholds["http_req_duration{method:get,status:ok}"][0]: a status is a number, such as {status:200}.',
      'thresholds["iterations{page:home}"][0]: samples of iterations have no tag page: only samples within a page have it.',
    ]);
  });

  test("checks an expression even if its options are wrong", () => {
    const thresholds = { http_reqs: [{ threshold: "avg>1", abortOnFail: "yes" }] };
    expect(thresholdMessagesOf(thresholds)).toEqual([
      'thresholds.http_reqs[0].abortOnFail must be true or false, but is "yes".',
      "thresholds.http_reqs[0].threshold: http_reqs is a counter and has no avg: use count or rate.",
    ]);
  });

  test("does not call a metric or a scenario unknown because its own declaration is wrong", () => {
    const messages = messagesOf({
      metrics: { basket: { type: "trand" } },
      scenarios: { readers: {} },
      thresholds: { "basket{scenario:readers}": ["avg<5"] },
    });
    expect(messages).toHaveLength(2);
    expect(messages.join()).not.toContain("is called");
  });
});
