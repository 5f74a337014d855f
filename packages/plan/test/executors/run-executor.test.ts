import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import { modelOf } from "../../src/executors/load-models.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare } from "./fake-share.ts";

const base = {
  name: "s",
  startTimeMs: 0,
  gracefulStopMs: 0,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
const open = {
  timeUnitMs: 1000,
  preAllocatedVUs: 1,
  maxVUs: 10,
  arrivals: "uniform" as const,
  onBusy: "drop" as const,
};
const scenarios: ValidatedScenario[] = [
  { ...base, executor: "constant-vus", vus: 1, durationMs: 100 },
  { ...base, executor: "shared-iterations", vus: 1, iterations: 3, maxDurationMs: 100 },
  { ...base, executor: "per-vu-iterations", vus: 1, iterations: 3, maxDurationMs: 100 },
  { ...base, ...open, executor: "constant-arrival-rate", rate: 100, durationMs: 30 },
  {
    ...base,
    ...open,
    executor: "ramping-arrival-rate",
    startRate: 5,
    stages: [{ durationMs: 100, target: 200 }],
  },
  {
    ...base,
    executor: "ramping-vus",
    startVUs: 1,
    stages: [{ durationMs: 100, target: 2 }],
    gracefulRampDownMs: 0,
  },
];

describe("an executor", () => {
  test.each(scenarios)("$executor runs", async (scenario) => {
    const clock = new FakeClock();
    const share = new FakeShare(clock, { iterationMs: () => 5 });
    const running = modelOf(scenario).run(scenario, share);
    await clock.runTo(100);
    share.end();
    await clock.runTo(200);
    await running;
    expect(share.ran.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    { executor: "shared-iterations", iterations: 3 },
    { executor: "per-vu-iterations", iterations: 6 },
  ] as const)("$executor runs $iterations iterations of 3 by 2 VUs", async ({ executor, iterations }) => {
    const share = new FakeShare(new FakeClock());
    const scenario = { ...base, executor, vus: 2, iterations: 3, maxDurationMs: 100 };
    await modelOf(scenario).run(scenario, share);
    expect(share.ran).toHaveLength(iterations);
  });
});
