import type { ValidatedScenario } from "@bearhug/sdk/internal";

import { constantArrivalRate } from "./constant-arrival-rate.ts";
import { constantVus } from "./constant-vus.ts";
import type { ScenarioShare } from "./executor.ts";
import { perVuIterations } from "./per-vu-iterations.ts";
import { rampingArrivalRate } from "./ramping-arrival-rate.ts";
import { rampingVus } from "./ramping-vus.ts";
import { sharedIterations } from "./shared-iterations.ts";

/** Drives one worker's share of a scenario by the executor that it names. */
export async function runExecutor(scenario: ValidatedScenario, share: ScenarioShare): Promise<void> {
  switch (scenario.executor) {
    case "constant-vus":
      return constantVus(scenario, share);
    case "shared-iterations":
      return sharedIterations(scenario, share);
    case "per-vu-iterations":
      return perVuIterations(scenario, share);
    case "ramping-vus":
      return rampingVus(scenario, share);
    case "constant-arrival-rate":
      return constantArrivalRate(scenario, share);
    case "ramping-arrival-rate":
      return rampingArrivalRate(scenario, share);
  }
}
