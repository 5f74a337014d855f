import type { Accounting, ThresholdResult } from "@bearhug/sdk";

import { initialState } from "../../../src/outcome/run-state.ts";
import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";

/** Returns the ending of a run in which nothing was due and nothing went wrong, with these changes. */
export function endingOf(changes: Partial<Ending> = {}, counts: Partial<Accounting> = {}): Ending {
  return {
    ...initialState,
    accounting: { ...initialState.accounting, ...counts },
    isTruncated: false,
    locate: () => null,
    thresholds: [],
    metrics: {},
    monitors: [],
    checks: [],
    errors: [],
    scenarios: [],
    variants: null,
    unevaluated: [],
    targets: [],
    firstRedirect: null,
    sentToLogin: [],
    judging: {},
    isOverload: false,
    feedEnds: new Map(),
    tagsSeen: () => new Map(),
    classifyVuTime: () => ({ spentOn: "unclear", mostInRequests: null }),
    isGeneratorSaturated: false,
    generatorReasons: [],
    isStrictGenerator: false,
    allowsPartial: false,
    shard: null,
    isGeneratorJudged: true,
    ...changes,
  };
}

/** Returns a scenario of a closed model in which nothing was due, with these changes. No threshold judges its failures. */
export function scenarioOf(changes: Partial<ScenarioOutcome>): ScenarioOutcome {
  const { requests = 0, failedRequests = 0, completed = 0, failed = 0, names = new Set() } = changes;
  return {
    name: "visits",
    source: null,
    arrivalRate: null,
    isEmpty: false,
    executor: "constant-vus",
    expectsNoRequests: false,
    expectsFailures: false,
    completed: 0,
    failed: 0,
    failedRequests: 0,
    names: new Set(),
    vuTime: { totalUs: 0, lostUs: 0 },
    judgesVuTime: false,
    requests: 0,
    redirects: 0,
    arrived: 0,
    drops: new Map(),
    unjudgedDrops: 0,
    unjudgedRequests: { ended: requests, failed: failedRequests, names },
    unjudgedIterations: { ended: completed + failed, failed },
    ...changes,
  };
}

export const failedThreshold: ThresholdResult = {
  metric: "http_req_failed",
  expression: "rate<1%",
  passed: false,
  actual: 0.5,
  unit: null,
  samples: 2,
  window: null,
  allowEmpty: false,
  source: null,
};
