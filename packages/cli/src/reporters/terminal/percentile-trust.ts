import {
  parseThreshold,
  samplesForConfidence,
  type TestResult,
  type ThresholdResult,
  type TrendResult,
} from "@bearhug/sdk";
import { formatDuration } from "../../format/duration.ts";
import { atLeast, formatCount } from "../../format/number.ts";
import type { Style } from "./style.ts";

/** The confidence interval of the p99 of requests, or how many samples it needs. */
export function renderPercentileTrust({ metrics }: TestResult, style: Style): string[] {
  const metric = metrics["http_req_duration"];
  if (metric?.type !== "trend") return [];
  const text = describeTrust(metric);
  return text === null ? [] : style.paragraph(text, { paint: style.faint });
}

function describeTrust({ values, confidence, censored }: TrendResult): string | null {
  const samples = values.count;
  const interval = confidence?.["p(99)"];
  if (interval !== undefined) {
    const [low, high] = interval.map((ms) =>
      atLeast(formatDuration(ms), censored !== undefined && ms >= censored.from),
    );
    return `p99 of http_req_duration: ${low} to ${high} (95 % confidence interval)`;
  }
  const needed = samplesForConfidence(99);
  if (samples >= needed) return null;
  return `p99 has ${formatCount(samples)} ${samples === 1 ? "sample" : "samples"}; a 95 % confidence interval needs ${needed}`;
}

/** The warning that a threshold's percentile has too few samples; null if it has enough, or is no percentile. */
export function describeTooFew({ expression, samples, actual }: ThresholdResult): string | null {
  const judged = percentileOf(expression);
  if (judged === null || actual === null) return null;
  const needed = samplesForConfidence(judged.percentile);
  if (samples >= needed || !Number.isFinite(needed)) return null;
  const counted = `${formatCount(samples)} ${samples === 1 ? "sample" : "samples"}`;
  return `only ${counted}: ${judged.name} needs ${formatCount(needed)} for a 95 % confidence interval`;
}

function percentileOf(expression: string): { readonly name: string; readonly percentile: number } | null {
  try {
    const { aggregation } = parseThreshold(expression);
    if (aggregation.kind === "med") return { name: "med", percentile: 50 };
    if (aggregation.kind !== "percentile") return null;
    const { percentile } = aggregation;
    return { name: `p(${percentile})`, percentile };
  } catch {
    return null; // A document may hold any text here.
  }
}
