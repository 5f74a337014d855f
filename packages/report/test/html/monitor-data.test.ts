import { describe, expect, test } from "vitest";

import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { LivePageData } from "../../src/html/live-page-data.ts";
import type { PageData } from "../../src/html/page-data.ts";
import { monitored } from "../monitored-result.ts";
import { resultOf } from "../result-of.ts";
import { snapshotOf } from "../snapshot-of.ts";

function gaugeCharts({ timeline }: Pick<PageData, "timeline">) {
  return timeline?.charts.filter(({ id }) => id.startsWith("monitor-")) ?? [];
}

describe("monitored gauges on the page of a report", () => {
  const data = gatherPageData(monitored);

  test("have charts below those of the load, with the same time axis and with gaps", () => {
    const ids = data.timeline?.charts.map(({ id }) => id) ?? [];
    expect(ids.indexOf("monitor-cpu")).toBeGreaterThan(ids.indexOf("received"));
    const cpu = gaugeCharts(data).find(({ id }) => id === "monitor-cpu");
    expect(cpu).toMatchObject({
      title: "server.cpu",
      note: "CPU in use, as a share of all cores",
      unit: "percent",
      lines: [{ label: "server" }],
    });
    expect(cpu?.lines[0]?.values).toEqual(monitored.monitors[0]?.gauges[0]?.points);
    expect(cpu?.lines[0]?.values.slice(9, 15).map((value) => value === null)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(data.timeline?.seconds).toHaveLength(cpu?.lines[0]?.values.length ?? 0);
  });

  test("share a chart if several monitors read them", () => {
    const [server] = monitored.monitors;
    const [gauge] = server?.gauges ?? [];
    const db = { ...server!, name: "db", gauges: [{ ...gauge!, metric: "db.cpu" }] };
    const charts = gaugeCharts(gatherPageData(resultOf({ ...monitored, monitors: [server!, db] })));
    expect(charts.find(({ id }) => id === "monitor-cpu")).toMatchObject({
      title: "cpu",
      lines: [{ label: "server" }, { label: "db" }],
    });
  });

  test("have a table, which states when they were not read", () => {
    const table = data.tables.find(({ id }) => id === "monitors");
    expect(table?.note).toBe(
      "server was not read from 10 s to 14 s: connection refused. cache was never read: no answer within 1 s.",
    );
    expect(table?.rows.map(({ cells }) => cells.map(({ text }) => text))).toContainEqual([
      "db.process_cpu",
      "24.8 %",
      "22.0 %",
      "29.0 %",
      "27.0 %",
    ]);
    expect(table?.rows.at(-1)?.cells.map(({ text }) => text)).toEqual(["cache", "", "", "", ""]);
  });

  test("are absent without monitors", () => {
    const without = gatherPageData(resultOf({ ...monitored, monitors: [] }));
    expect(gaugeCharts(without)).toEqual([]);
    expect(without.tables.map(({ id }) => id)).not.toContain("monitors");
  });
});

test("the live page has the readings of each second so far", () => {
  const live = new LivePageData("front page");
  const readingOf = (value: number | null) => ({
    name: "server",
    gap: value === null ? "connection refused" : null,
    gauges: [{ metric: "server.cpu", unit: "%" as const, value }],
  });
  live.add(snapshotOf({ atMs: 1000, isWarmup: true }));
  live.add(snapshotOf({ atMs: 2000 }));
  for (const [index, value] of [40, null, 60].entries())
    live.add(snapshotOf({ atMs: 3000 + index * 1000, monitors: [readingOf(value)] }));
  const [cpu] = gaugeCharts(live.get());
  expect(cpu).toMatchObject({ id: "monitor-cpu", lines: [{ values: [null, 40, null, 60] }] });
});
