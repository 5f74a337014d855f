import { describe, expect, test } from "vitest";

import { validateTest } from "../../src/definition/validate-test.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import { StartTimeEstimate } from "../../src/executors/start-time-estimate.ts";

function scenariosOf(scenarios: Readonly<Record<string, object>>): readonly ValidatedScenario[] {
  const withCode = Object.entries(scenarios).map(
    ([name, options]) => [name, { ...options, exec: () => 1 }] as const,
  );
  const { test: validated, problems } = validateTest({ scenarios: Object.fromEntries(withCode) });
  if (validated === undefined) throw new Error(JSON.stringify(problems));
  return validated.scenarios;
}

const counted = { executor: "shared-iterations", vus: 2, iterations: 9, maxDuration: "10m" };
const paced = { executor: "constant-arrival-rate", rate: 1, duration: "20s", startTime: "5s" };

describe("the time in which iterations are started", () => {
  test("is the planned one where durations decide, however rarely an iteration starts", () => {
    const span = new StartTimeEstimate(
      scenariosOf({ paced, still: { executor: "constant-vus", vus: 1, duration: "8s" } }),
    );
    expect(span.untilMs(Number.POSITIVE_INFINITY)).toBe(25_000);
    span.observe(900, 1);
    expect(span.untilMs(25_000)).toBe(25_000);
  });

  test("ends with the last observed start where counts decide, at its earliest possible time", () => {
    const span = new StartTimeEstimate(scenariosOf({ counted }));
    expect(span.untilMs(600_000)).toBe(0);
    for (const [atMs, due] of [
      [100, 2],
      [4900, 2],
      [5000, 3],
      [9000, 3],
    ] as const)
      span.observe(atMs, due);
    expect(span.untilMs(600_000)).toBe(4900);
  });

  test("ends at the later of the two in a run with both", () => {
    const span = new StartTimeEstimate(scenariosOf({ counted, paced }));
    span.observe(30_000, 1);
    expect(span.untilMs(600_000)).toBe(25_000);
    span.observe(31_000, 2);
    expect(span.untilMs(600_000)).toBe(30_000);
  });

  test("ends when the run is stopped", () => {
    const span = new StartTimeEstimate(scenariosOf({ paced }));
    expect(span.untilMs(7300)).toBe(7300);
  });
});
