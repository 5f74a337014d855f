import type { ValidatedScenario, ValidatedTest } from "@bearhug/sdk";

import type { RunOptions } from "./run-options.ts";

const defaultMaxDurationMs = 600_000;

/** The scenarios that are to run, with `--scenario`, `--vus`, `--duration` and `--iterations` applied. */
export function overrideLoad(
  test: ValidatedTest,
  options: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  const chosen = chooseScenarios(test, options, problems);
  const given = (["vus", "durationMs", "iterations"] as const).filter((option) => options[option] !== null);
  if (given.length === 0) return chosen;
  const [only, ...others] = chosen;
  if (only === undefined) return chosen;
  if (others.length > 0) {
    const flags = given.map((option) => `--${option.replace("Ms", "")}`).join(", ");
    problems.push(
      `${flags}: the test has ${chosen.length} scenarios. Say which one with --scenario ${only.name}.`,
    );
    return chosen;
  }
  return [overrideScenario(only, options, problems)];
}

function chooseScenarios(
  { scenarios }: ValidatedTest,
  { scenario }: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  if (scenario === null) return scenarios;
  const chosen = scenarios.filter(({ name }) => name === scenario);
  if (chosen.length === 0) {
    problems.push(
      `--scenario ${scenario}: the test has no such scenario. It has ${scenarios.map(({ name }) => name).join(", ")}.`,
    );
  }
  return chosen;
}

function overrideScenario(
  scenario: ValidatedScenario,
  options: RunOptions,
  problems: string[],
): ValidatedScenario {
  const { vus, durationMs, iterations } = options;
  switch (scenario.executor) {
    case "constant-vus":
    case "shared-iterations": {
      const { name, startTimeMs, gracefulStopMs, tags, env } = scenario;
      const kept = { name, startTimeMs, gracefulStopMs, tags, env, vus: vus ?? scenario.vus };
      const counted =
        iterations ??
        (scenario.executor === "shared-iterations" && durationMs === null ? scenario.iterations : null);
      if (counted !== null) {
        const maxDurationMs =
          durationMs ??
          (scenario.executor === "shared-iterations" ? scenario.maxDurationMs : defaultMaxDurationMs);
        return { ...kept, executor: "shared-iterations", iterations: counted, maxDurationMs };
      }
      const lastsMs =
        durationMs ?? (scenario.executor === "constant-vus" ? scenario.durationMs : defaultMaxDurationMs);
      return { ...kept, executor: "constant-vus", durationMs: lastsMs };
    }
    case "constant-arrival-rate": {
      if (vus !== null)
        problems.push(
          `--vus: scenario ${scenario.name} starts iterations at a rate; its VUs are made as they are needed.`,
        );
      if (iterations !== null)
        problems.push(
          `--iterations: scenario ${scenario.name} starts iterations at a rate; say how long with --duration.`,
        );
      return { ...scenario, durationMs: durationMs ?? scenario.durationMs };
    }
    case "per-vu-iterations":
    case "ramping-vus":
    case "ramping-arrival-rate":
      // Refused by the plan, with its own sentence.
      return scenario;
  }
}
