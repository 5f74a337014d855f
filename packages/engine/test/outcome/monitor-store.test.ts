import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import { describe, expect, it } from "vitest";

import { MonitorStore, monitoredMetrics } from "../../src/outcome/monitor-store.ts";

const server = { name: "server", source: "http://10.0.0.5:9100/metrics" };
const read = (second: number, cpu: number): MonitorReport => ({
  second,
  monitor: "server",
  gap: null,
  readings: { cpu: { value: cpu, unit: "%" } },
});
const failed = (second: number, gap: string): MonitorReport => ({
  second,
  monitor: "server",
  gap,
  readings: {},
});

function storeOf(...reports: readonly MonitorReport[]): MonitorStore {
  const store = new MonitorStore();
  for (const report of reports) store.add(report);
  return store;
}

const perSecond = (count: number) => ({ count, widthMs: 1000 });

describe("the readings of a monitor", () => {
  it("become points in the run's intervals, with their mean, minimum, maximum and last value", () => {
    const store = storeOf(read(0, 20), read(1, 70), read(2, 60));
    const [result] = store.results([server], perSecond(4));
    expect(result?.gauges).toEqual([
      {
        metric: "server.cpu",
        unit: "%",
        values: { value: 60, avg: 50, min: 20, max: 70 },
        points: [20, 70, 60, null],
      },
    ]);
  });

  it("that cover a gap fill its points, but the gap is still listed", () => {
    const late: MonitorReport = {
      second: 4,
      monitor: "server",
      gap: null,
      readings: {
        cpu: { value: 90, unit: "%", seconds: 9 },
        memory: { value: 5, unit: "bytes" },
      },
    };
    const store = storeOf(read(0, 20), read(1, 30), failed(2, "reset"), failed(3, "reset"), late);
    const [result] = store.results([server], perSecond(5));
    expect(result?.gauges).toMatchObject([
      { metric: "server.cpu", values: { avg: 64, min: 20, max: 90 }, points: [20, 30, 90, 90, 90] },
      { metric: "server.memory", values: { avg: 5 }, points: [null, null, null, null, 5] },
    ]);
    expect(result?.gaps).toEqual([{ fromMs: 2000, toMs: 4000, reason: "reset" }]);
  });

  it("are averaged in wider intervals, even if the last is not full", () => {
    const store = storeOf(read(0, 20), read(1, 40), read(2, 60));
    const [result] = store.results([server], { count: 2, widthMs: 2000 });
    expect(result?.gauges[0]?.points).toEqual([30, 60]);
  });

  it("count once for each second: those of the shard that reported first", () => {
    const store = storeOf(read(0, 20), read(0, 90), failed(0, "refused"));
    const [result] = store.results([server], perSecond(1));
    expect(result?.gauges[0]?.values).toEqual({ value: 20, avg: 20, min: 20, max: 20 });
    expect(result?.gaps).toEqual([]);
  });

  it("fill the gap that another shard had in the same second", () => {
    const store = storeOf(failed(0, "refused"), read(0, 20));
    const [result] = store.results([server], perSecond(1));
    expect(result?.gauges[0]?.points).toEqual([20]);
    expect(result?.gaps).toEqual([]);
  });

  it("are listed among the metrics as gauges", () => {
    const store = storeOf(read(0, 20), read(1, 40));
    expect(monitoredMetrics(store.results([server], perSecond(2)))).toEqual({
      "server.cpu": { type: "gauge", unit: "%", values: { value: 40, avg: 30, min: 20, max: 40 } },
    });
  });
});

describe("gaps", () => {
  it("join seconds that follow each other with one reason", () => {
    const store = storeOf(failed(1, "refused"), failed(2, "refused"), failed(3, "time-out"), read(4, 5));
    expect(store.results([server], perSecond(5))[0]?.gaps).toEqual([
      { fromMs: 1000, toMs: 3000, reason: "refused" },
      { fromMs: 3000, toMs: 4000, reason: "time-out" },
    ]);
  });

  it("are listed up to a hundred", () => {
    const store = storeOf(...Array.from({ length: 150 }, (_, index) => failed(index * 2, "refused")));
    expect(store.results([server], perSecond(300))[0]?.gaps).toHaveLength(100);
  });
});

it("a monitor that reported nothing is in the result", () => {
  expect(storeOf().results([server], perSecond(3))).toEqual([{ ...server, gauges: [], gaps: [] }]);
});

describe("the monitors of a run in progress", () => {
  it("show the readings of the second, or of the one before", () => {
    const store = storeOf(read(0, 20), read(1, 70));
    const at = (second: number) => store.standings(second)[0];
    const cpu = (value: number | null) => [{ metric: "server.cpu", unit: "%", value }];
    expect(at(1)).toEqual({ name: "server", gap: null, gauges: cpu(70) });
    expect(at(2)).toEqual({ name: "server", gap: null, gauges: cpu(70) });
    expect(at(3)).toEqual({ name: "server", gap: null, gauges: cpu(null) });
  });

  it("show the reason if nothing was read, until something is", () => {
    const store = storeOf(read(0, 20), failed(1, "connection refused"));
    expect(store.standings(2)).toMatchObject([{ gap: "connection refused", gauges: [{ value: null }] }]);
    store.add(read(2, 30));
    expect(store.standings(2)).toMatchObject([{ gap: null, gauges: [{ value: 30 }] }]);
  });
});
