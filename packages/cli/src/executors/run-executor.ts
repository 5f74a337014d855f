import type { ValidatedScenario } from "@bearhug/sdk";

import { constantArrivalRate } from "./constant-arrival-rate.ts";
import { constantVus } from "./constant-vus.ts";
import type { ScenarioShare } from "./executor.ts";
import { sharedIterations } from "./shared-iterations.ts";

/** Drives one worker's share of a scenario by the executor that it names. */
export async function runExecutor(scenario: ValidatedScenario, share: ScenarioShare): Promise<void> {
  switch (scenario.executor) {
    case "constant-vus":
      return constantVus(scenario, share);
    case "shared-iterations":
      return sharedIterations(scenario, share);
    case "constant-arrival-rate":
      return constantArrivalRate(scenario, share);
    case "per-vu-iterations":
    case "ramping-vus":
    case "ramping-arrival-rate":
      throw new TypeError(
        `the plan holds a scenario of executor ${scenario.executor}, which it should have refused`,
      );
  }
}
