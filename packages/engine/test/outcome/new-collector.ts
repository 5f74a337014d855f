import { builtInClients } from "../../src/built-in-clients.ts";
import { Collector } from "../../src/outcome/collect.ts";

/** Returns a collector of a run without thresholds. */
export function newCollector(): Collector {
  return new Collector({ plan: { clients: builtInClients, metrics: {} }, thresholds: [] });
}
