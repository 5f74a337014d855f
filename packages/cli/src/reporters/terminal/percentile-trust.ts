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

/** How far the p99 of requests can be trusted. */
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
    return `p99 of http_req_duration: from ${low} to ${high} with 95 % confidence`;
  }
  const needed = samplesForConfidence(99);
  if (samples >= needed) return null;
  return `p99 rests on ${formatCount(samples)} ${samples === 1 ? "sample" : "samples"}: too few to say how far it can be trusted (${needed} are needed)`;
}

/** Why a threshold's percentile says little; null where it has samples enough, or is no percentile. */
export function describeTooFew({ expression, samples, actual }: ThresholdResult): string | null {
  const judged = percentileOf(expression);
  if (judged === null || actual === null) return null;
  const needed = samplesForConfidence(judged.percentile);
  if (samples >= needed || !Number.isFinite(needed)) return null;
  const counted = `${formatCount(samples)} ${samples === 1 ? "sample" : "samples"}`;
  return `judged on ${counted}: ${judged.name} needs ${formatCount(needed)} for a 95 % interval`;
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
