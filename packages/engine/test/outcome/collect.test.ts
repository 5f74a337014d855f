import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { Trend } from "@bearhug/metrics/trend";
import type { WorkerHealth, WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { accountGauges } from "../../src/outcome/account.ts";
import { newCollector } from "./new-collector.ts";
import { Interruptions } from "../../src/run/interruptions.ts";

function healthOf(utilization: number, loopDelayP99Ms: number): WorkerHealth {
  return {
    utilization,
    loopDelayP95Ms: loopDelayP99Ms,
    loopDelayP99Ms,
    pauses: { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 },
    waitedMs: 0,
    last: { durationMs: 1000, utilization, loopDelayP99Ms },
  };
}

function snapshot(
  interval: number,
  requests: number,
  lagMs: number,
  changes: Partial<WorkerSnapshot> = {},
): WorkerSnapshot {
  const lag = new Trend(3);
  lag.add(lagMs);
  return {
    interval,
    series: [
      {
        id: 0,
        tags: { scenario: "s" },
        metrics: {
          http_reqs: { type: "counter", total: requests, samples: requests },
          schedule_lag: lag.toDelta(),
        },
      },
    ],
    errors: [
      {
        code: "E",
        cause: null,
        message: ownWords`m`,
        name: "GET /",
        firstAtMs: interval * 1000,
        count: 2,
        position: null,
      },
    ],
    health: healthOf(0.5, 1),
    checkFaults: [],
    unmeasured: [],
    overflow: { name: null, tags: null, foldedTags: [] },
    ...changes,
  };
}

describe("the collector of workers' snapshots", () => {
  test("merges series, errors and intervals, and keeps health and lag for each worker", () => {
    const collector = newCollector();
    collector.add(0, snapshot(0, 5, 1));
    collector.add(1, snapshot(0, 7, 40, { health: healthOf(0.9, 30) }));
    collector.add(0, snapshot(1, 1, 2));
    expect(collector.store.select(parseMetricSelector("http_reqs"))).toMatchObject({ total: 13 });
    expect(
      [...collector.timeline.clients.values()].map(({ intervals }) =>
        intervals.map(({ counts }) => counts.operations),
      ),
    ).toEqual([[12, 1]]);
    expect(collector.errors.all()).toMatchObject([{ code: "E", count: 6, firstAtMs: 0 }]);
    expect(collector.health(1)).toEqual(healthOf(0.9, 30));
    expect(collector.health(2)).toBeNull();
    expect(collector.scheduleLagMs(0, 99)).toBe(2);
    expect(collector.scheduleLagMs(1, 99)).toBe(40);
    expect(collector.scheduleLagMs(2, 99)).toBeNull();
    expect(collector.warnings()).toEqual([]);
  });

  test("counts the seconds that all of the given workers have reported", () => {
    const collector = newCollector();
    collector.add(0, snapshot(0, 1, 1));
    collector.add(1, snapshot(0, 1, 1));
    collector.add(1, snapshot(1, 1, 1));
    expect(collector.secondsReported([0, 1])).toBe(1);
    expect(collector.secondsReported([1])).toBe(2);
    expect(collector.secondsReported([0, 1, 2])).toBe(0);
  });

  test("warns once if a bound was reached, with an example and a remedy", () => {
    const collector = newCollector();
    const overflow = { name: "GET /x", tags: '{"user":"7"}', foldedTags: ["user"] };
    collector.add(0, snapshot(0, 1, 1, { overflow }));
    collector.add(1, snapshot(0, 1, 1, { overflow }));
    const [names, series, ...more] = collector.warnings();
    expect(names).toContain('"GET /x"');
    expect(names).toContain("Set name on such requests");
    expect(series).toContain('{"user":"7"}');
    expect(more).toEqual([]);
  });

  test("lists the tags whose values are no longer distinguished, in any worker, and names if they were too many", () => {
    const collector = newCollector();
    collector.add(0, snapshot(0, 1, 1));
    expect([...collector.foldedTags]).toEqual([]);
    const overflow = { name: null, tags: "{}", foldedTags: ["user"] };
    collector.add(0, snapshot(1, 1, 1, { overflow }));
    collector.add(1, snapshot(1, 1, 1, { overflow: { ...overflow, foldedTags: ["user", "page"] } }));
    collector.add(0, snapshot(2, 1, 1));
    expect([...collector.foldedTags].sort()).toEqual(["page", "user"]);
    collector.add(0, snapshot(3, 1, 1, { overflow: { name: "GET /x", tags: null, foldedTags: [] } }));
    expect([...collector.foldedTags].sort()).toEqual(["name", "page", "user"]);
  });

  test("counts VUs and connections over all workers at the end of a second", () => {
    const collector = newCollector();
    const [one, two] = [new SharedAccounting(), new SharedAccounting()];
    one.add("vusActive", 3);
    one.add("vusInitialized", 5);
    two.add("vusActive", 4);
    two.add("connectionsOpened", 9);
    two.add("connectionsClosed", 2);
    collector.gauge(0, accountGauges([one, two]));
    one.add("vusActive", -3);
    collector.gauge(1, accountGauges([one, two]));
    expect(collector.store.select(parseMetricSelector("vus"))).toMatchObject({ value: 4, max: 7 });
    expect(collector.store.select(parseMetricSelector("vus_max"))).toMatchObject({ value: 5 });
    expect(collector.store.select(parseMetricSelector("connections_open"))).toMatchObject({ value: 7 });
    expect(collector.timeline.engine.intervals.map(({ counts }) => counts.vus)).toEqual([7, 4]);
  });
});

test("the first interruption is graceful and names its signal, the second is urgent, more change nothing", async () => {
  const interruptions = new Interruptions();
  expect([interruptions.signal, interruptions.isInterrupted, interruptions.isUrgent]).toEqual([
    null,
    false,
    false,
  ]);
  interruptions.interrupt("SIGTERM");
  await interruptions.first;
  expect([interruptions.signal, interruptions.isInterrupted, interruptions.isUrgent]).toEqual([
    "SIGTERM",
    true,
    false,
  ]);
  interruptions.interrupt("SIGINT");
  await interruptions.second;
  interruptions.interrupt("SIGHUP");
  expect([interruptions.signal, interruptions.isUrgent]).toEqual(["SIGTERM", true]);
});
