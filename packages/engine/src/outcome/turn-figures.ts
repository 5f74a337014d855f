import { ofType } from "@bearhug/metrics/accumulator";
import { blockMargin, type BlockShare } from "@bearhug/metrics/comparison/blocked-samples";
import { sumBy } from "@bearhug/metrics/sum";
import { Trend } from "@bearhug/metrics/trend";
import type { VariantFigure, VariantFigureName } from "@bearhug/sdk/result";

import type { TurnMetrics } from "./turn-store.ts";

/** The time of one variant's turns in a stretch. */
export interface TurnTime {
  readonly comparedMs: number;
  /**
   * The number of busy virtual users in a closed model; null in an open one, where rates are per clock time.
   */
  readonly concurrency: number | null;
}

const percentiles = { p50: 50, p90: 90, p99: 99 } as const;

/** Figures that are ratios of sums over turns. */
type RatioName = Exclude<VariantFigureName, keyof typeof percentiles | "decodedBytes">;

/** Returns a figure of one variant in one stretch; null if nothing was measured. */
export function stretchFigure(of: VariantFigureName, metrics: TurnMetrics, time: TurnTime): number | null {
  return wholeFigure(of, metrics, [metrics], time).value;
}

/**
 * Returns a figure of one variant, with an interval computed from its stretches. `whole` is all stretches
 * merged.
 */
export function wholeFigure(
  of: VariantFigureName,
  whole: TurnMetrics,
  stretches: readonly TurnMetrics[],
  time: TurnTime,
): VariantFigure {
  if (of === "p50" || of === "p90" || of === "p99")
    return percentileFigure(percentiles[of], whole, stretches);
  if (of !== "decodedBytes") return ratioFigure(stretches.map((one) => ratios[of](one, time)));
  return decodedFigure(wholeFigure("wireBytes", whole, stretches, time), whole);
}

/**
 * In a closed model, rates are per time that virtual users spent in the variant's iterations. So an iteration
 * that runs into the next variant's turn counts with its whole time, and does not lower that variant's rate.
 */
const ratios: Readonly<Record<RatioName, (metrics: TurnMetrics, time: TurnTime) => BlockShare>> = {
  wireBytes: (metrics) => {
    const { total, samples } = counterOf(metrics, "bodyBytes");
    return { part: total, whole: samples };
  },
  requestsPerSecond: (metrics, time) => ({
    part: failuresOf(metrics).samples,
    whole: activeSeconds(metrics, time),
  }),
  bytesPerSecond: (metrics, time) => ({
    part: counterOf(metrics, "bytesReceived").total,
    whole: activeSeconds(metrics, time),
  }),
  failed: (metrics) => {
    const { trues, samples } = failuresOf(metrics);
    return { part: trues, whole: samples };
  },
};

function activeSeconds(metrics: TurnMetrics, { comparedMs, concurrency }: TurnTime): number {
  const ms = concurrency === null ? comparedMs : counterOf(metrics, "iterations").total / concurrency;
  return ms / 1000;
}

function ratioFigure(shares: readonly BlockShare[]): VariantFigure {
  const part = sumBy(shares, (one) => one.part);
  const whole = sumBy(shares, (one) => one.whole);
  if (whole === 0) return nothing;
  const value = part / whole;
  const margin = blockMargin(shares);
  return {
    value,
    interval: margin === null ? null : [Math.max(0, value - margin), value + margin],
    isLowerBound: false,
  };
}

/**
 * Computes a percentile. Its interval is that of the share of samples at or below it, converted back to
 * times. Source: Woodruff, "Confidence Intervals for Medians and Other Position Measures", 1952.
 */
function percentileFigure(
  percent: number,
  whole: TurnMetrics,
  stretches: readonly TurnMetrics[],
): VariantFigure {
  const times = timesOf(whole);
  if (times.count === 0) return nothing;
  const value = times.percentile(percent);
  const margin = blockMargin(
    stretches.map((one) => {
      const own = timesOf(one);
      return { part: own.countUpTo(value), whole: own.count };
    }),
  );
  const [low, high] = [percent - (margin ?? 100) * 100, percent + (margin ?? 100) * 100];
  return {
    value,
    interval: low <= 0 || high >= 100 ? null : [times.percentile(low), times.percentile(high)],
    isLowerBound: times.isLowerBound(value),
  };
}

export function failuresOf(metrics: TurnMetrics): { readonly trues: number; readonly samples: number } {
  return ofType(metrics.get("failed"), "rate") ?? { trues: 0, samples: 0 };
}

export function timesOf(metrics: TurnMetrics): Trend {
  return ofType(metrics.get("times"), "trend") ?? new Trend(3);
}

/**
 * Estimates decoded bytes from the responses whose decoded size is known. Exact if all have the same size.
 */
function decodedFigure(
  { value: wireBytes, interval, isLowerBound }: VariantFigure,
  metrics: TurnMetrics,
): VariantFigure {
  const decoded = counterOf(metrics, "decodedBytes");
  const encoded = counterOf(metrics, "encodedBytes");
  if (wireBytes === null || decoded.samples === 0) return nothing;
  const sampled = decoded.total / decoded.samples;
  // Divided in this order, so that equal sizes give an exact result.
  const value = encoded.total === 0 ? sampled : sampled * (wireBytes / (encoded.total / encoded.samples));
  const scale = (end: number): number => (wireBytes === 0 ? value : value * (end / wireBytes));
  return { value, interval: interval && [scale(interval[0]), scale(interval[1])], isLowerBound };
}

const nothing: VariantFigure = { value: null, interval: null, isLowerBound: false };

function counterOf(metrics: TurnMetrics, name: string): { readonly total: number; readonly samples: number } {
  return ofType(metrics.get(name), "counter") ?? { total: 0, samples: 0 };
}
