import { builtInClients } from "../../engine/src/built-in-clients.ts";
import { metricCatalog, type MetricInfo } from "../src/metric-catalog.ts";

/** Returns the built-in metrics, and one metric of each type that a test might define. */
export function testCatalog(): ReadonlyMap<string, MetricInfo> {
  return metricCatalog({
    clients: builtInClients,
    metrics: {
      basket_size: { type: "trend", unit: null },
      coupons_used: { type: "counter", unit: null },
      queue_length: { type: "gauge", unit: null },
      found: { type: "rate", unit: null },
    },
  });
}
