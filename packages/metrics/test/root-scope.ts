import { createMask } from "@bearhug/text/secret-mask";

import { RequestSamples } from "../../http/src/samples/request-samples.ts";
import { MetricRegistry } from "../src/registry.ts";
import { Scope } from "../src/scope.ts";
import { SeriesStore } from "../src/series-store.ts";
import { SnapshotTaker } from "../src/snapshot.ts";
import { testCatalog } from "./catalog-of.ts";

export function rootScope(secrets: readonly string[] = [], keptDetails: readonly string[] = []) {
  const registry = new MetricRegistry(testCatalog(), createMask(secrets), new Set(keptDetails));
  const root = new Scope(registry, { scenario: "readers" });
  return { registry, root, requests: new RequestSamples(registry) };
}

/** The phases of one request, in ms. */
export const phases = {
  blocked: 1,
  lookingUp: 2,
  connecting: 3,
  tlsHandshaking: 4,
  sending: 5,
  waiting: 6,
  receiving: 7,
  duration: 18,
  responseTime: 28,
};

export const request = { name: "GET /", method: "GET", status: 200, protocol: "HTTP/1.1" };
export const sample = {
  hasFailed: false,
  isCutOff: false,
  hasWaited: true,
  hasReceived: true,
  phases: null,
  bytesSent: 10,
  bytesReceived: 20,
};

export function countSeries(registry: MetricRegistry): number {
  return [...registry.all()].length;
}

export function requestsIn(registry: MetricRegistry): number {
  const store = new SeriesStore();
  store.add(0, new SnapshotTaker(registry).take());
  const total = store.select({ metric: "http_reqs", filters: [] });
  return total?.type === "counter" ? total.total : 0;
}
