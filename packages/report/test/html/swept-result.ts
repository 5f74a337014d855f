import type { TestResult } from "@bearhug/sdk";
import type { TrialResult } from "@bearhug/sdk/result";

import { limitedTrial } from "../../../engine/test/trials/trial-of.ts";
import { resultOf } from "../result-of.ts";
import { timed } from "./timed-result.ts";

const loads = [2, 4, 8, 16, 32, 64];

/** Returns a step of a server that handles `limit` requests at once, with doubled p99 and maximum times. */
function stepOf(vus: number, limit: number, serviceMs: number): TrialResult {
  const step = limitedTrial(vus, limit, serviceMs);
  return {
    ...step,
    times: step.times && { ...step.times, p99: 2 * step.times.p99, max: 2 * step.times.max },
  };
}

/** A sweep of a site with and without its cache, which ended before the last load without it. */
export const swept: TestResult = resultOf({
  ...timed,
  sweep: {
    loadUnit: "vus",
    loads,
    settleMs: 1000,
    measureMs: 5000,
    conditions: {},
    targets: [
      {
        name: "cached",
        address: "http://127.0.0.1:8080",
        ending: "complete",
        steps: loads.map((vus) => stepOf(vus, 40, 4)),
        knee: { state: "found", load: 40 },
        scalability: null,
      },
      {
        name: "plain",
        address: "http://127.0.0.1:8081",
        ending: "throughput",
        steps: loads.slice(0, 5).map((vus) => stepOf(vus, 8, 20)),
        knee: { state: "found", load: 8 },
        scalability: {
          lambda: 50,
          sigma: 0.02,
          kappa: 0.0004,
          worstError: 0.03,
          steps: 5,
          peak: { concurrency: 49, rate: 900 },
        },
      },
    ],
    described: { target: "cached", load: 64, exitCode: 0, messages: [] },
  },
});
