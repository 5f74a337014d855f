// No marked line may compile: an expected error that does not occur is an error itself.
import { defineTest } from "@bearhug/sdk";
import type { Thresholds } from "@bearhug/sdk";
import type { Scenario, Context } from "@bearhug/sdk";

const scenarios: { readers: Scenario<Context> } = {
  readers: { executor: "constant-vus", duration: "1m", exec: () => undefined },
};

export const metrics = defineTest({
  metrics: { basket: { type: "trend" }, paid: { type: "rate" } },
  scenarios,
  thresholds: {
    // @ts-expect-error there is no such metric
    http_req_duraton: ["p(95)<1s"],
    // @ts-expect-error there is no such metric either
    baskets: ["avg<1"],
    // @ts-expect-error nor with a filter
    "baskets{page:home}": ["avg<1"],
    basket: ["avg<1"],
    paid: ["rate>50%"],
  },
});

export const aggregations = defineTest({
  metrics: { basket: { type: "trend" }, paid: { type: "rate" }, depth: { type: "gauge" } },
  scenarios,
  thresholds: {
    // @ts-expect-error a rate has no percentile
    http_req_failed: ["p(95)<1s"],
    // @ts-expect-error a counter has no average
    http_reqs: ["avg<1"],
    // @ts-expect-error a gauge has no maximum
    vus: ["max<1"],
    // @ts-expect-error a trend has no rate
    http_req_duration: ["rate<1%"],
    // @ts-expect-error nor with a filter
    "http_req_duration{page:home}": ["rate<1%"],
    // @ts-expect-error not even beside one that fits
    http_req_waiting: ["avg<1s", "rate<1%"],
    // @ts-expect-error nor has a trend of the test's own
    basket: ["rate<1%"],
    // @ts-expect-error a rate of the test's own has no average
    paid: ["avg<1"],
    // @ts-expect-error a gauge of the test's own has no count
    depth: ["count<1"],
    // @ts-expect-error a monitored gauge has no percentile
    "server.cpu": ["p(95)<80%"],
    // @ts-expect-error the percent sign is missing
    "db.process_cpu": ["avg<80"],
    // @ts-expect-error memory in use is in bytes
    "server.memory": ["max<80%"],
    // @ts-expect-error a plain number has no unit
    "server.node_load1": ["max<1MB"],
  },
});

export const expressions = defineTest({
  scenarios,
  thresholds: {
    // @ts-expect-error there are no hours in thresholds
    http_req_duration: ["avg<1h"],
    // @ts-expect-error a rate is not a time
    http_req_failed: ["rate<1ms"],
    // @ts-expect-error a trend is not a share
    http_req_waiting: ["avg<1%"],
    // @ts-expect-error the operator is missing
    http_req_sending: ["avg 5"],
    // @ts-expect-error the value is missing
    http_req_receiving: ["avg<"],
    // @ts-expect-error not an operator
    http_req_blocked: ["avg=>5"],
    // @ts-expect-error thresholds are written in a list
    checks: "rate>99%",
    // @ts-expect-error with this spelling it would never abort
    iteration_duration: [{ threshold: "avg<1s", abortOnFial: true }],
    // @ts-expect-error not a duration
    page_duration: [{ threshold: "avg<1s", window: "ten seconds" }],
    // @ts-expect-error an expression is missing
    pages: [{ abortOnFail: true }],
  },
});

export const filters = defineTest({
  scenarios,
  thresholds: {
    "http_req_duration{scenario:readers}": ["avg<1s"],
    // @ts-expect-error there is no such scenario
    "http_req_duration{scenario:writers}": ["avg<1s"],
    // @ts-expect-error nor after another filter
    "http_req_duration{page:home,scenario!:writers}": ["avg<1s"],
    // @ts-expect-error a filter has a value
    "http_req_duration{page}": ["avg<1s"],
    // @ts-expect-error a filter ends with a brace
    "http_req_duration{page:home": ["avg<1s"],
  },
});

const unknownMetric = { http_req_duraton: ["avg<1"] } satisfies Thresholds;
const wrongAggregation = { http_req_failed: ["p(95)<1s"] } satisfies Thresholds;
// @ts-expect-error that is not a threshold
export const noThreshold = { http_req_failed: ["rate"] } satisfies Thresholds;
export const ofConstants = [
  // @ts-expect-error there is no such metric, in a constant either
  defineTest({ scenarios: {}, thresholds: unknownMetric }),
  // @ts-expect-error no such aggregation of a rate, in a constant either
  defineTest({ scenarios: {}, thresholds: wrongAggregation }),
];
