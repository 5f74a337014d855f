import { addTo, ofType, type Accumulator } from "@bearhug/metrics/accumulator";
import { compareTurns, minPairs } from "@bearhug/metrics/comparison/compare-turns";
import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { recordOf } from "@bearhug/metrics/record-of";
import type { Trend } from "@bearhug/metrics/trend";
import { blocksBefore } from "@bearhug/plan/pacing/turns";
import { comparedFigures, executors, variantFigures } from "@bearhug/sdk/internal";
import type {
  ComparedFigureName,
  VariantDifference,
  VariantOutage,
  VariantResult,
  VariantsResult,
} from "@bearhug/sdk/result";

import { findOutage } from "./find-outage.ts";
import type { RecordedPlan } from "./run-record.ts";
import type { Run } from "./run.ts";
import { failuresOf, stretchFigure, timesOf, wholeFigure, type TurnTime } from "./turn-figures.ts";
import type { TurnMetrics } from "./turn-store.ts";

/** One variant's turns: merged, and by stretch. */
interface Measured {
  readonly name: string;
  readonly whole: TurnMetrics;
  readonly stretches: readonly TurnMetrics[];
}

/** Returns the variants of a run and their differences; null for a run without variants. */
export function variantsResult({ head: { plan }, state, collector }: Run): VariantsResult | null {
  if (plan?.variants === undefined) return null;
  const { names, turnMs, changeoverMs } = plan.variants;
  const rule = { seed: plan.seed, variants: names.length, turnMs, changeoverMs };
  const { turns } = collector;
  const blocks = blocksBefore(rule, state.startsUntilMs);
  const measured = turns.completeStretches(names.length, blocks).map((stretches, variant): Measured => {
    return { name: names[variant] ?? "", whole: mergedOf(stretches), stretches };
  });
  const time = {
    comparedMs: (turnMs - changeoverMs) * turns.width,
    concurrency: isOpen(plan) ? null : concurrencyOf(collector, state.durationMs),
  };
  const differences = differencesOf(measured, time);
  const outageOf = ({ name, stretches }: Measured): VariantOutage | null =>
    findOutage({
      stretches,
      turnMs,
      unexpected: unexpectedTimes(collector, name),
      vus: mostVusOf(collector, plan),
      stretchMs: turnMs * names.length * turns.width,
      startsUntilMs: state.startsUntilMs,
      durationMs: state.durationMs,
    });
  return {
    turnMs,
    changeoverMs,
    blocks,
    stretches: Math.floor(blocks / turns.width),
    leastStretches: minPairs(comparedFigures.length * (names.length - 1)),
    longIterationMs: longIteration(collector, changeoverMs),
    variants: measured.map((one, variant) => {
      const outage = outageOf(one);
      const described = describeVariant(one, time, differences[variant - 1] ?? null);
      return outage === null ? described : { ...described, outage };
    }),
  };
}

function unexpectedTimes({ store }: Run["collector"], variant: string): Trend | null {
  const filters = [
    { tag: "variant", operator: "equals" as const, value: variant },
    { tag: "expected_response", operator: "equals" as const, value: "false" },
  ];
  return ofType(store.select({ metric: "http_req_duration", filters }), "trend") ?? null;
}

function mostVusOf({ store }: Run["collector"], plan: RecordedPlan): number | null {
  return isOpen(plan) ? null : (ofType(store.select(mostVus), "gauge")?.max ?? null);
}

function isOpen({ scenarios }: RecordedPlan): boolean {
  return scenarios.some(({ scenario }) => executors[scenario.executor].isOpen);
}

const iterationTimes = parseMetricSelector("iteration_duration");
const mostVus = parseMetricSelector("vus_max");

/**
 * Returns the average number of busy virtual users (Little's law): the time of all iterations divided by the
 * run's duration.
 */
function concurrencyOf({ store }: Run["collector"], durationMs: number): number {
  const most = ofType(store.select(mostVus), "gauge")?.max ?? 0;
  const busyMs = (ofType(store.select(iterationTimes), "trend")?.sum ?? 0) / 1000;
  if (durationMs === 0) return 1;
  // Iterations that end in the graceful stop could raise it slightly above the real number.
  return Math.min(most > 0 ? most : Number.POSITIVE_INFINITY, busyMs / durationMs) || 1;
}

function longIteration({ store }: Run["collector"], changeoverMs: number): number | null {
  const times = ofType(store.select(iterationTimes), "trend");
  const p95 = times !== undefined && times.count > 0 ? times.percentile(95) : 0;
  return p95 > changeoverMs ? p95 : null;
}

function mergedOf(stretches: readonly TurnMetrics[]): TurnMetrics {
  const merged = new Map<string, Accumulator>();
  for (const one of stretches) for (const [name, accumulator] of one) addTo(merged, name, accumulator);
  return merged;
}

type Differences = NonNullable<VariantResult["differences"]>;

/** Returns the differences of all other variants from the first. */
function differencesOf([base, ...others]: readonly Measured[], time: TurnTime): Differences[] {
  if (base === undefined) return [];
  const figures = others.flatMap((other) =>
    comparedFigures.map((name) => ({
      base: base.stretches.map((one) => stretchFigure(name, one, time)),
      other: other.stretches.map((one) => stretchFigure(name, one, time)),
      change: name === "failed" ? ("absolute" as const) : ("relative" as const),
    })),
  );
  const found = compareTurns(figures);
  return others.map((_, index) => {
    const differenceOf = (name: ComparedFigureName): VariantDifference => {
      const one = found[index * comparedFigures.length + comparedFigures.indexOf(name)];
      return {
        change: one?.change ?? null,
        interval: one?.interval ?? null,
        isReal: one?.isReal === true,
      };
    };
    return recordOf(comparedFigures, differenceOf);
  });
}

function describeVariant(
  { name, whole, stretches }: Measured,
  time: TurnTime,
  differences: Differences | null,
): VariantResult {
  const { trues: failures, samples: requests } = failuresOf(whole);
  return {
    name,
    requests,
    failures,
    differences,
    figures: recordOf(variantFigures, (figure) => wholeFigure(figure, whole, stretches, time)),
    histogram: timesOf(whole).encode(),
  };
}
