import type { Accounting } from "@bearhug/sdk";

import type { Ending } from "../../../src/outcome/verdict/ending.ts";
import type { ScenarioOutcome } from "../../../src/outcome/verdict/scenario-outcomes.ts";

/** The ending of a run in which nothing was due and nothing went wrong, with these changes. */
export function endingOf(changes: Partial<Ending> = {}, counts: Partial<Accounting> = {}): Ending {
  return {
    thresholds: [],
    metrics: {},
    checks: [],
    accounting: {
      iterations: {
        scheduled: 0,
        started: 0,
        completed: 0,
        failed: 0,
        interrupted: 0,
        dropped: 0,
        lost: 0,
      },
      requests: [],
      setup: { requests: [] },
      teardown: { requests: [] },
      warmup: null,
      ...counts,
    },
    errors: [],
    scenarios: [],
    timeOfVus: () => ({ spentOn: "unclear", mostInRequests: null }),
    workers: [],
    unanswerable: [],
    failures: [],
    interruptedBy: null,
    teardownSignal: null,
    killed: null,
    abortReason: null,
    hasReceivedEnough: false,
    isGeneratorSaturated: false,
    isStrictGenerator: false,
    isGeneratorJudged: true,
    ...changes,
  };
}

/** A scenario of a closed model in which nothing was due, with these changes. */
export function scenarioOf(changes: Partial<ScenarioOutcome>): ScenarioOutcome {
  return {
    ...{ name: "visits", executor: "constant-vus", expectsNoRequests: false, completed: 0, failed: 0 },
    ...{ requests: 0, redirects: 0, arrived: 0, drops: new Map(), unjudgedDrops: 0 },
    ...changes,
  };
}
