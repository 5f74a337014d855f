import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { findAbortingThreshold } from "@bearhug/metrics/thresholds/abort";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { ThresholdResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { Collector } from "../../src/outcome/collect.ts";
import { thresholdResults, thresholdStandings, unreadGauges } from "../../src/outcome/judge-thresholds.ts";
import { endingOf, failedThreshold } from "./verdict/ending-of.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

const nothing = { clients: [], metrics: {} };

function onCpu(expression: string, changes: Partial<ValidatedThreshold> = {}): ValidatedThreshold {
  return thresholdOf("server.cpu", expression, changes);
}

/** Returns a collector that received the CPU of consecutive seconds; null for a second without a reading. */
function collectorOf(threshold: ValidatedThreshold, cpu: readonly (number | null)[]): Collector {
  const collector = new Collector({ plan: null, thresholds: [{ threshold }] });
  for (const [second, value] of cpu.entries()) collector.monitor(reportOf(second, value));
  collector.windows.finish(cpu.length * 1000);
  return collector;
}

function reportOf(second: number, value: number | null): MonitorReport {
  if (value === null) return { second, monitor: "server", readings: {}, gap: "connection refused" };
  return { second, monitor: "server", readings: { cpu: { value, unit: "%" } }, gap: null };
}

function judge(threshold: ValidatedThreshold, cpu: readonly (number | null)[]): ThresholdResult | undefined {
  const { store, windows } = collectorOf(threshold, cpu);
  const facts = { durationMs: cpu.length * 1000, isEvaluated: true, foldedTags: new Set<string>(), windows };
  return thresholdResults({ thresholds: [{ threshold, source: null }], plan: nothing }, store, facts)[0];
}

describe("a threshold on a monitored gauge", () => {
  test.for([
    ["avg<61%", true, 60],
    ["avg<60%", false, 60],
    ["max<95%", true, 90],
    ["min>20%", false, 20],
    ["value<80%", true, 70],
  ] as const)("%s is judged on all readings", ([text, passed, actual]) => {
    expect(judge(onCpu(text), [20, null, 90, 70])).toMatchObject({ passed, actual, unit: "%", samples: 3 });
  });

  test("fails without a reading, unless it may be empty", () => {
    expect(judge(onCpu("avg<80%"), [null, null])).toMatchObject({ passed: false, actual: null, samples: 0 });
    expect(judge(onCpu("avg<80%", { allowEmpty: true }), [null])).toMatchObject({ passed: true, samples: 0 });
  });

  test("that holds is noted if the gauge was not read for a part of the load", () => {
    const values = { value: 50, avg: 50, min: 50, max: 50 };
    const notesFor = (points: readonly (number | null)[], passed = true): string[] => {
      const gaps = points.includes(null) ? [{ fromMs: 2000, toMs: 4000, reason: "connection refused" }] : [];
      const gauges = [{ metric: "server.cpu", unit: "%" as const, values, points }];
      const thresholds = [{ ...failedThreshold, metric: "server.cpu", expression: "max<98%", passed }];
      const monitors = [{ name: "server", source: "", gauges, gaps }];
      return unreadGauges(endingOf({ thresholds, monitors })).map(({ message }) => message);
    };
    expect(notesFor([50, 50, null, null])).toEqual([
      "server.cpu was not read for 50.00 % of the load, so its thresholds hold for the rest alone: connection refused",
    ]);
    expect(notesFor([50, 50, 50, 50])).toEqual([]);
    expect(notesFor([...Array.from({ length: 10 }, () => 50), null])).toEqual([]);
    expect(notesFor([50, 50, null, null], false)).toEqual([]);
  });

  test("is judged in its windows", () => {
    const windowed = onCpu("avg<80%", { windowMs: 2000 });
    expect(judge(windowed, [10, 10, 90, 90, 10, 10])).toMatchObject({
      passed: false,
      actual: 90,
      window: { widthMs: 2000, failedAtMs: 4000 },
    });
    expect(judge(windowed, [10, 90, 10, 90])).toMatchObject({ passed: true, actual: 50 });
  });

  test("ends the run as soon as it fails", () => {
    const aborting = onCpu("max<80%", { abortOnFail: true });
    expect(findAbortingThreshold([aborting], collectorOf(aborting, [70]), 1000)).toBeUndefined();
    expect(findAbortingThreshold([aborting], collectorOf(aborting, [70, 81]), 2000)).toBe(aborting);
  });

  test("is shown with its unit while the run goes on", () => {
    const threshold = onCpu("avg<80%");
    const standings = thresholdStandings(
      ...([[threshold], metricCatalog(nothing), collectorOf(threshold, [90, 80])] as const),
      2000,
    );
    expect(standings).toMatchObject([{ metric: "server.cpu", unit: "%", actual: 85, passed: false }]);
  });

  test("counts a second once if two machines report it", () => {
    const threshold = onCpu("avg<80%");
    const collector = collectorOf(threshold, [50]);
    collector.monitor(reportOf(0, 100));
    expect(collector.totals.of(threshold)).toMatchObject({ samples: 1, sum: 50 });
  });
});
