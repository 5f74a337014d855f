import type { ThresholdResult } from "@bearhug/sdk";

import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

export function failedThresholds({ thresholds }: Ending): Reason[] {
  // One that failed although samples arrived, but without a value, could not be judged, which is said apart.
  const failed = thresholds.filter(
    ({ passed, actual, samples }) => passed === false && (actual !== null || samples === 0),
  );
  return failed.map((threshold) => {
    const { metric, expression, actual, unit, window, censoredSamples } = threshold;
    const was =
      actual === null
        ? "no sample arrived"
        : `was ${censoredSamples === undefined ? "" : "at least "}${roundFor(actual)}${unit === "ms" ? " ms" : ""}${describeWindow(window)}${describeCensored(threshold)}`;
    return {
      code: exitCodes.thresholdsFailed,
      message: `threshold failed: ${metric}: ${expression} (${was})`,
    };
  });
}

export function unanswerableThresholds({ unanswerable }: Ending): Reason[] {
  return unanswerable.map((message) => ({ code: exitCodes.thresholdsFailed, message }));
}

/** Empty where the whole run was judged, also for want of a full window. */
function describeWindow(window: ThresholdResult["window"]): string {
  if (typeof window?.failedAtMs !== "number" || window.failedAtMs < window.widthMs) return "";
  const [widthS, failedAtS] = [window.widthMs, window.failedAtMs].map((ms) => Number((ms / 1000).toFixed(1)));
  return ` in the ${widthS} s up to ${failedAtS} s`;
}

/** Why the value is only a lower bound; empty where it is exact. */
function describeCensored({ metric, samples, censoredSamples }: ThresholdResult): string {
  if (censoredSamples === undefined) return "";
  return metric.startsWith("http_req_")
    ? `: ${censoredSamples} of ${samples} requests were never fully answered`
    : `: ${censoredSamples} of ${samples} were cut off before they ended`;
}

/** Enough digits to tell the value from the bound, and no more. */
function roundFor(value: number): string {
  return String(Number(value.toPrecision(6)));
}
