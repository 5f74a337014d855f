import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { MetricRegistry } from "@bearhug/metrics/registry";
import { Scope } from "@bearhug/metrics/scope";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { createMask } from "@bearhug/text/secret-mask";
import { expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { mergedResults, summarizer } from "../../src/outcome/merged-results.ts";

test("the result has the 100 groups that ran most often", () => {
  const plan = { clients: builtInClients, metrics: {} };
  const registry = new MetricRegistry(metricCatalog(plan), createMask([]));
  const root = new Scope(registry, { scenario: "readers" });
  for (let number = 1; number <= 130; number++)
    for (let time = 0; time < number; time++)
      root.group(`step ${number}`).series.trend("group_duration").add(5);
  const store = new SeriesStore();
  store.add(0, new SnapshotTaker(registry).take());
  expect(mergedResults(store, plan, summarizer(plan, 1000)).groups.map(({ name }) => name)).toEqual(
    Array.from({ length: 100 }, (_, rank) => `step ${130 - rank}`),
  );
});
