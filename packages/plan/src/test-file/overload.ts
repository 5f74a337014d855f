import { formatPlanned } from "@bearhug/text/duration";

import type { ScenarioOf } from "../executors/validated-scenario.ts";
import type { ArrivalRate } from "../executors/constant-arrival-rate.ts";
import { withStages } from "../executors/ramping-arrival-rate.ts";
import type { OverloadLoad } from "../protocol/overload-load.ts";

const defaultDurationMs = 30_000;

/** Three phases of five seconds: shorter ones do not show how response times develop. */
const minDurationMs = 15_000;

const maxFactor = 100;

/**
 * Reads `--overload`, the load above the rate as a multiple of the rate. Returns null and adds a
 * problem if it is invalid.
 */
export function readOverload(text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const factor = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && factor > 1 && factor <= maxFactor) return factor;
  problems.push(`--overload ${text}: must be a factor above 1, at most ${maxFactor}, such as 1.5.`);
  return null;
}

/** The options of a run that affect its phases. */
interface OverloadOptions {
  readonly overload: number | null;
  readonly rate: ArrivalRate | null;
  readonly iterations: number | null;
  readonly durationMs: number | null;
  readonly variants: readonly unknown[];
}

/** Returns a sentence for each option that cannot be combined with `--overload`. */
export function overloadProblems(options: OverloadOptions): string[] {
  const { overload, rate, iterations, durationMs, variants } = options;
  if (overload === null) return [];
  return [
    ...(rate === null
      ? ["--overload: needs a rate to go past. Add --rate, such as the one that bearhug capacity finds."]
      : []),
    ...(iterations === null ? [] : ["--iterations: --overload lasts for a time; set it with --duration."]),
    ...(durationMs !== null && durationMs < minDurationMs
      ? [
          `--duration ${formatPlanned(durationMs)}: is too short for the three phases of --overload. Use ${formatPlanned(minDurationMs)} or more.`,
        ]
      : []),
    ...(variants.length === 0 ? [] : ["--variant: cannot be used with --overload; give one of them."]),
  ];
}

/** Returns the load of `--overload`; null without that option. */
export function overloadOf({ overload, rate, durationMs }: OverloadOptions): OverloadLoad | null {
  if (overload === null || rate === null) return null;
  const perSecond = (rate.count * 1000) / rate.timeUnitMs;
  return { rate: perSecond, factor: overload, phaseMs: (durationMs ?? defaultDurationMs) / 3 };
}

/** Lets a scenario go above its rate and come back. A warm-up precedes the first phase. */
export function withOverload(
  scenario: ScenarioOf<"constant-arrival-rate">,
  { factor, phaseMs }: OverloadLoad,
  warmupMs: number,
): ScenarioOf<"ramping-arrival-rate"> {
  const { rate } = scenario;
  const past = rate * factor;
  return withStages(scenario, [
    { target: rate, durationMs: warmupMs + phaseMs },
    { target: past, durationMs: 0 },
    { target: past, durationMs: phaseMs },
    { target: rate, durationMs: 0 },
    { target: rate, durationMs: phaseMs },
  ]);
}
