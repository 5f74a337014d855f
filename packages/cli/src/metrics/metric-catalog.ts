import type { MetricType } from "@bearhug/sdk";
import { builtInMetrics, type ValidatedMetric } from "@bearhug/sdk/internal";

import type { HistogramPrecision } from "./histogram.ts";

/** One metric of a run, built in or declared by the test. */
export interface MetricInfo {
  readonly name: string;
  readonly type: MetricType;
  readonly unit: "ms" | "bytes" | null;
  readonly precision: HistogramPrecision;
}

/** Shares of a request's duration: two digits are enough, and there are many of them. */
export const phaseMetrics: ReadonlySet<string> = new Set([
  "http_req_blocked",
  "http_req_looking_up",
  "http_req_connecting",
  "http_req_tls_handshaking",
  "http_req_sending",
  "http_req_waiting",
  "http_req_receiving",
]);

/** Every metric of a run by name: the built-in ones, then the test's own. */
export function metricCatalog(
  own: Readonly<Record<string, ValidatedMetric>>,
): ReadonlyMap<string, MetricInfo> {
  const catalog = new Map<string, MetricInfo>();
  for (const [name, { type, unit }] of Object.entries(builtInMetrics)) {
    catalog.set(name, { name, type, unit, precision: phaseMetrics.has(name) ? 2 : 3 });
  }
  for (const [name, { type, unit }] of Object.entries(own)) {
    catalog.set(name, { name, type, unit, precision: 3 });
  }
  return catalog;
}
