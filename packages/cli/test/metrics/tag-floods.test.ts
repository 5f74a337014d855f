import { describe, expect, test } from "vitest";

import { MetricRegistry } from "../../src/metrics/registry.ts";
import { Scope } from "../../src/metrics/scope.ts";
import { SeriesStore } from "../../src/metrics/series-store.ts";
import { SnapshotTaker } from "../../src/metrics/snapshot.ts";
import { testCatalog } from "./catalog-of.ts";
import { createMask } from "../../src/secret-mask.ts";

function rootScope() {
  const registry = new MetricRegistry(testCatalog(), createMask([]));
  return { registry, root: new Scope(registry, { scenario: "readers" }) };
}

const request = { name: "GET /", method: "GET", status: 200, protocol: "HTTP/1.1" };
const sample = {
  ...{ hasFailed: false, isCutOff: false, hasWaited: true, hasReceived: true, phases: null },
  ...{ bytesSent: 10, bytesReceived: 20 },
};

function countSeries(registry: MetricRegistry): number {
  return [...registry.all()].length;
}

function requestsIn(registry: MetricRegistry): number {
  const store = new SeriesStore();
  store.add(0, new SnapshotTaker(registry).take());
  const total = store.select({ metric: "http_reqs", filters: [] });
  return total?.type === "counter" ? total.total : 0;
}

describe("a flood", () => {
  test("of ever new sets of names leads to few scopes and series", () => {
    const { registry, root } = rootScope();
    const scopes = new Set<Scope>();
    for (let number = 0; number < 20_000; number++) {
      const bits = Array.from({ length: 15 }, (_, at) => at).filter((at) => (number >> at) & 1);
      const scope = root.with(Object.fromEntries(bits.map((at) => [`t${at}`, String(number)])));
      scopes.add(scope);
      scope.requestSeries(request, true).record(sample);
    }
    expect(scopes.size).toBeLessThanOrEqual(1101);
    expect(countSeries(registry)).toBeLessThanOrEqual(1101);
    expect(requestsIn(registry)).toBe(20_000);
  });

  test("of groups within groups is bounded in a worker, and no sample is lost", () => {
    const { registry, root } = rootScope();
    const scopes = new Set<Scope>();
    for (let outer = 0; outer < 100; outer++)
      for (let inner = 0; inner < 400; inner++) {
        const scope = root.group(`outer ${outer}`).group(`inner ${inner}`);
        scopes.add(scope);
        scope.requestSeries(request, true).record(sample);
      }
    expect(scopes.size).toBeLessThanOrEqual(21_000);
    expect(countSeries(registry)).toBeLessThanOrEqual(3001);
    expect(requestsIn(registry)).toBe(40_000);
  });

  test("of groups ever deeper ends in one group", () => {
    const { root } = rootScope();
    let scope = root;
    for (let depth = 0; depth < 30_000; depth++) scope = scope.group(`level ${depth}`);
    expect(scope.tags["group"]).toBe("(other)");
    expect(scope.group("deeper")).toBe(scope);
  });
});
