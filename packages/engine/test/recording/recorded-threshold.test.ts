import { expect, test } from "vitest";

import { recordedThresholdSchema, writeThreshold } from "../../src/recording/recorded-threshold.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

const options = { abortOnFail: true, delayAbortEvalMs: 1000, windowMs: 5000, allowEmpty: true };

/** The form in which all releases write it. */
const recorded = {
  key: "http_req_duration{name~:^GET,page:home}",
  metric: "http_req_duration",
  filters: [
    { tag: "name", operator: "matches", value: "^GET" },
    { tag: "page", operator: "equals", value: "home" },
  ],
  expression: {
    text: "p95 < 0.3s",
    aggregation: { kind: "percentile", percentile: 95 },
    operator: "<",
    bound: 300,
    unit: "s",
  },
  text: "p95 < 0.3s",
  ...options,
};

const threshold = thresholdOf(recorded.key, recorded.text, options);

test("a threshold is recorded in the form of all releases, and read back without loss", () => {
  expect(writeThreshold(threshold)).toEqual(recorded);
  expect(recordedThresholdSchema().parse(JSON.parse(JSON.stringify(recorded)))).toEqual(threshold);
});

test.each([
  ["key", "http_reqs{page"],
  ["expression", { ...recorded.expression, aggregation: { kind: "mean" } }],
  ["expression", { ...recorded.expression, operator: "=>" }],
  ["expression", { ...recorded.expression, unit: "h" }],
])("a threshold with a damaged %s is refused", (name, value) => {
  expect(recordedThresholdSchema().safeParse({ ...recorded, [name]: value }).success).toBe(false);
});
