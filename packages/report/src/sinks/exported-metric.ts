import { describeGauge } from "@bearhug/metrics/gauge-name";
import { builtInMetrics, isBuiltInMetric } from "@bearhug/sdk/internal";

/** Returns the name under which a metric is exported, without prefix and unit: "req" becomes "request". */
export function exportedName(metric: string): string {
  return metric.replace(/^http_req(?=s$|_)/, "http_request");
}

/** Returns a sentence about a metric; null for one that a test or a client declares. */
export function descriptionOf(metric: string): string | null {
  return isBuiltInMetric(metric) ? builtInMetrics[metric].description : describeGauge(metric);
}
