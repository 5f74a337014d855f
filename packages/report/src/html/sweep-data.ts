import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { SweepResult, SweepTarget, TrialResult } from "@bearhug/sdk/result";

import { describeSteps, describeTarget } from "../model/sweep.ts";
import type { ChartUnit, ComparisonData, LineChartData } from "./page-data.ts";

/** Gathers the steps of a sweep over their loads, all targets in the same charts; none for another run. */
export function gatherSweep({ sweep }: TestResult): ComparisonData[] {
  if (sweep === undefined) return [];
  const { loadUnit, targets } = sweep;
  const measured = targets.flatMap(({ steps }) => steps.map(({ load }) => amountOf(load)));
  const loads = [...new Set(measured)].toSorted((left, right) => left - right);
  if (loads.length === 0) return [];
  return [
    {
      id: "sweep",
      title: "Sweep",
      axis: "load",
      sentences: [describeSteps(sweep), ...targets.flatMap((target) => findings(target, sweep))],
      places: loads.map((load) => formatLoad(load, loadUnit)),
      charts: charts(targets, loads),
    },
  ];
}

function findings(target: SweepTarget, { loadUnit, targets }: SweepResult): string[] {
  const sentences = describeTarget(target, loadUnit);
  return targets.length === 1 ? sentences : sentences.map((sentence) => `${target.name}: ${sentence}`);
}

/** Returns a figure of a step; undefined if the step lacks it. */
type ReadFigure = (step: TrialResult) => number | undefined;

function charts(targets: readonly SweepTarget[], loads: readonly number[]): LineChartData[] {
  const chart = (
    [id, title, note, unit]: readonly [string, string, string, ChartUnit],
    figures: Readonly<Record<string, ReadFigure>>,
  ): LineChartData => ({
    id: `sweep-${id}`,
    title,
    note,
    unit,
    lines: targets.flatMap((target) =>
      Object.entries(figures).map(([label, read]) => ({
        label: targets.length === 1 ? label : `${target.name}: ${label}`,
        values: loads.map((load) => valueAt(target, load, read)),
      })),
    ),
  });
  const hasFailures = targets.some(({ steps }) => steps.some(({ failedShare }) => failedShare > 0));
  return [
    chart(["throughput", "Throughput", "requests or iterations per second", "per second"], {
      all: ({ rate }) => rate,
      ...(hasFailures && { "not failed": ({ goodRate }: TrialResult) => goodRate }),
    }),
    chart(["times", "Response times", "percentiles", "ms"], {
      p50: ({ times }) => times?.p50,
      p99: ({ times }) => times?.p99,
    }),
    ...(hasFailures
      ? [chart(["failed", "Failed", "share of all", "share"], { failed: ({ failedShare }) => failedShare })]
      : []),
    chart(["received", "Data received", "per second", "bytes per second"], {
      received: ({ receivedRate }) => receivedRate,
    }),
  ];
}

function valueAt({ steps }: SweepTarget, load: number, read: ReadFigure): number | null {
  const step = steps.find((one) => amountOf(one.load) === load);
  return step === undefined ? null : (read(step) ?? null);
}
