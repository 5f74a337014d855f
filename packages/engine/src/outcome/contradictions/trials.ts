import { amountOf } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult, SweepResult, TrialResult } from "@bearhug/sdk/result";

import { claim, outside, type Contradiction, type Range } from "./contradiction.ts";

/** Finds contradictions in the steps of a sweep, the trials of a search, and the conclusions from them. */
export function wrongTrials({ sweep, capacity }: TestResult): Contradiction[] {
  return [
    ...(sweep === undefined ? [] : wrongSweep(sweep)),
    ...(capacity === undefined ? [] : wrongSearch(capacity)),
  ];
}

function wrongSweep({ targets, loads, described }: SweepResult): Contradiction[] {
  const names = targets.map(({ name }) => name);
  return [
    ...targets.flatMap(({ name, steps, knee, scalability }, index) => {
      const path = `sweep.targets[${index}]`;
      const fitted = scalability?.steps ?? 0;
      return [
        ...claim(names.indexOf(name) === index, `${path}.name`, `is "${name}", as that of another target`),
        ...steps.flatMap((step, at) => [
          ...wrongFigures(`${path}.steps[${at}]`, step),
          ...wrongLoad(`${path}.steps[${at}].load`, step, steps[at - 1], loads),
        ]),
        ...claim(
          (knee.state === "found") === (knee.load !== null),
          `${path}.knee.load`,
          `is ${knee.load}, but the knee is "${knee.state}"`,
        ),
        ...claim(
          fitted <= steps.length,
          `${path}.scalability.steps`,
          `is ${fitted}, but ${steps.length} steps were measured`,
        ),
      ];
    }),
    ...claim(
      described === null ||
        targets.some(
          ({ name, steps }) =>
            name === described.target && steps.some((step) => amountOf(step.load) === described.load),
        ),
      "sweep.described",
      "is no step of the sweep",
    ),
  ];
}

function wrongLoad(
  path: string,
  step: TrialResult,
  before: TrialResult | undefined,
  loads: readonly number[],
): Contradiction[] {
  const load = amountOf(step.load);
  return [
    ...claim(loads.includes(load), path, `is ${load}, which is none of sweep.loads`),
    ...claim(
      before === undefined || load > amountOf(before.load),
      path,
      `is ${load}, but the steps rise from load to load`,
    ),
  ];
}

function wrongSearch({ objectives, trials, low, high, answer, load }: CapacityResult): Contradiction[] {
  return [
    ...trials.flatMap(({ readings, isGeneratorLimited, figures }, index) => [
      ...wrongFigures(`capacity.trials[${index}].figures`, figures),
      ...claim(
        // A trial that the load generator limited has no readings of the objectives.
        isGeneratorLimited || readings.length === objectives.length,
        `capacity.trials[${index}].readings`,
        `has ${readings.length} entries, but there are ${objectives.length} objectives`,
      ),
      ...readings.flatMap((reading, at) =>
        claim(
          reading === null || isInside(reading.value, reading.low, reading.high),
          `capacity.trials[${index}].readings[${at}]`,
          `is ${reading?.value}, outside of its interval from ${reading?.low} to ${reading?.high}`,
        ),
      ),
    ]),
    ...claim(
      low === null || high === null || low <= high,
      "capacity.low",
      `is ${low}, above capacity.high, ${high}`,
    ),
    ...claim(answer !== "found" || load !== null, "capacity.load", `is null, but the answer is "found"`),
  ];
}

const order = ["p50", "p90", "p95", "p99", "max"] as const;
/** The rounding of histograms, which applies to each figure separately. */
const rounding = 1.01;

/** True if the value is in the interval. Tolerates rounding in the last digits of its ends. */
function isInside(value: number, low: number, high: number): boolean {
  const slack = 1e-9 * Math.max(1, Math.abs(value));
  return low - slack <= value && value <= high + slack;
}

/** Returns the range of one value, apart from the rounding of histograms. */
function approximately(value: number): Range {
  return { least: value / rounding, most: value * rounding, expected: String(value) };
}

function wrongFigures(
  path: string,
  { times, rate, goodRate, failedShare, count, rateMs }: TrialResult,
): Contradiction[] {
  const falling = order.find((name, index) => {
    const next = order[index + 1];
    return times !== null && next !== undefined && times[name] > times[next] * rounding;
  });
  return [
    ...claim(falling === undefined, `${path}.times.${falling}`, "is above the percentile after it"),
    ...claim(failedShare <= 1, `${path}.failedShare`, `is ${failedShare}, above 1`),
    ...outside(
      `${path}.goodRate`,
      goodRate,
      approximately(rate * (1 - failedShare)),
      "the rate and the share of failures",
    ),
    ...(rateMs === 0
      ? []
      : outside(`${path}.rate`, rate, approximately((count * 1000) / rateMs), "count and rateMs")),
    ...Object.entries(times?.confidence ?? {}).flatMap(([name, [low, high]]) =>
      claim(low <= high, `${path}.times.confidence.${name}`, `begins at ${low}, above its end, ${high}`),
    ),
  ];
}
