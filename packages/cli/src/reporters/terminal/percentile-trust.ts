import type { TestResult } from "@bearhug/sdk";
import { samplesForConfidence, type TrendResult } from "@bearhug/sdk/internal";
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
