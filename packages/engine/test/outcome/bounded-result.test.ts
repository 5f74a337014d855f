import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { MetricRegistry } from "@bearhug/metrics/registry";
import { Scope } from "@bearhug/metrics/scope";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { mergeRequests } from "../../src/outcome/account.ts";
import { metricResults, seriesResults } from "../../src/outcome/assemble-result.ts";
import { Collector } from "../../src/outcome/collect.ts";
import { newCollector } from "./new-collector.ts";
import { summarizer } from "../../src/outcome/merged-results.ts";
import { RequestSamples } from "../../../http/src/samples/request-samples.ts";
import { phases } from "../../../metrics/test/root-scope.ts";

const busy = { utilization: 0.4, loopDelayP99Ms: 1 };
const pauses = { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 };
const health = { ...busy, loopDelayP95Ms: 1, pauses, waitedMs: 0, last: { ...busy, durationMs: 1000 } };

/** Control characters take six characters each in JSON: the worst case of a tag's value. */
const worst = "\u0001".repeat(400);
const declared = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [`own_${number}`, { type: "trend" as const, unit: null }]),
);

/** Records as many tags, pages, groups and names as a test can, in one worker's share of the load. */
function flood(worker: number, collector: Collector): number {
  const registry = new MetricRegistry(
    metricCatalog({ clients: builtInClients, metrics: declared }),
    createMask([]),
  );
  const root = new Scope(registry, { scenario: "flood" });
  const samples = new RequestSamples(registry);
  const requests = 1500;
  for (let index = 0; index < requests; index++) {
    const tags = Object.fromEntries(
      Array.from({ length: 40 }, (_, tag) => [`t${tag}`, `${worker}-${index}-${worst}`]),
    );
    const scope = root
      .page(`${index % 700}${worst}`)
      .group(`${index}${worst}`)
      .with(tags);
    const name = `GET /${index}${"y".repeat(200)}`;
    const key = { name, method: `M${index}`, status: 100 + (index % 900), protocol: "HTTP/1.1" };
    samples.of(scope, key, index % 2 === 0).record({
      hasFailed: false,
      isCutOff: false,
      hasWaited: true,
      hasReceived: true,
      phases,
      bytesSent: 1,
      bytesReceived: 1,
    });
    scope.check(`${index}${worst}`).add(true);
    for (const metric of Object.keys(declared)) scope.series.trend(metric).add(index);
  }
  const { overflowed, foldedTags } = registry;
  collector.add(worker, {
    interval: 0,
    series: new SnapshotTaker(registry).take(),
    errors: [],
    checkFaults: [],
    unmeasured: [],
    health,
    overflow: { name: null, tags: overflowed === null ? null : JSON.stringify(overflowed), foldedTags },
  });
  return requests;
}

describe("whatever a test does with its tags", () => {
  test("the series of its result fit into a text, and its totals are exact", () => {
    const collector = newCollector();
    let requests = 0;
    for (let worker = 0; worker < 2; worker++) requests += flood(worker, collector);
    const plan = { clients: builtInClients, metrics: declared };
    const series = seriesResults(collector.store, plan, summarizer(plan, 1000));
    expect(JSON.stringify(series, null, 2).length).toBeLessThan(120_000_000);
    expect(series.filter(({ histogram }) => histogram !== null).length).toBe(1000);
    const { http_reqs: total } = metricResults(collector.store, plan, [], 1000);
    expect(total).toMatchObject({ values: { count: requests } });
    const leaves = series.filter(({ metric }) => metric === "http_reqs");
    expect(leaves.reduce((sum, { values }) => sum + (values["count"] ?? 0), 0)).toBe(requests);
    for (const warning of collector.warnings()) expect(warning.length).toBeLessThan(3000);
  });
});

describe("the accounts of many workers", () => {
  test("have at most 1,000 names, those of most requests first, and lose no request", () => {
    const row = { sent: 0, succeeded: 0, failed: 0, interrupted: 0, lost: 0 };
    const rows = Array.from({ length: 5000 }, (_, name) => ({
      name: `GET /${name}`,
      ...row,
      started: name + 1,
    }));
    const merged = mergeRequests(rows);
    expect(merged.filter(({ name }) => name !== "(other)").length).toBe(1000);
    expect(merged.reduce((sum, { started }) => sum + started, 0)).toBe((5000 * 5001) / 2);
    expect(merged.find(({ name }) => name === "(other)")?.started).toBe((4000 * 4001) / 2);
    expect(merged.find(({ name }) => name === "GET /4999")?.started).toBe(5000);
  });
});
