import { systemClock } from "@bearhug/plan/pacing/clock";
import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { MonitorRequest } from "@bearhug/plan/monitors/monitor-kinds";
import { expect, onTestFinished, test } from "vitest";

import { watchMonitors } from "../../src/monitors/watch-monitors.ts";

function watch(request: MonitorRequest) {
  const reports: MonitorReport[] = [];
  const warnings: string[] = [];
  const watched = watchMonitors([request], {
    onReport: (report) => reports.push(report),
    onWarning: (text) => warnings.push(text),
  });
  onTestFinished(() => {
    watched.end();
  });
  return { watched, reports, warnings };
}

const ownProcess = { kind: "monitorPid", name: "app", source: "this process", pid: process.pid } as const;

test("monitors that are ready read from the first second of the load on", async () => {
  const { watched, reports, warnings } = watch(ownProcess);
  await watched.ready;
  watched.begin(systemClock.now());
  await expect.poll(() => reports.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(reports[0]).toMatchObject({ monitor: "app", second: 0, gap: null });
  expect(warnings).toEqual([]);
});

test("monitors whose thread fails hold no load up", async () => {
  const { watched, reports, warnings } = watch({ ...ownProcess, kind: "unknown" as "monitorPid" });
  await watched.ready;
  expect(reports).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/^monitors ended early: /)]);
});
