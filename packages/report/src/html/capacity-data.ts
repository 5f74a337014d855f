import { amountOf } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { CapacityObjective, CapacityResult, CapacityTrial } from "@bearhug/sdk/result";

import { describeSearch, formatTrialLoad, lastAtEachLoad } from "../model/capacity.ts";
import { chartUnitOf } from "./monitor-data.ts";
import type { ComparisonData, LineChartData } from "./page-data.ts";

/**
 * Gathers the charts of a search for the capacity: its narrowing bracket, and the figures of each load; none
 * for other runs.
 */
export function gatherCapacity({ capacity }: TestResult): ComparisonData[] {
  if (capacity === undefined || capacity.trials.length === 0) return [];
  return [search(capacity), loads(capacity)];
}

function search(capacity: CapacityResult): ComparisonData {
  const { trials, load, low, high, unit } = capacity;
  const brackets = trials.map((_, index) => bracketOf(capacity, trials.slice(0, index + 1)));
  return {
    id: "capacity",
    title: "Capacity",
    axis: "trial",
    sentences: describeSearch(capacity),
    places: [...trials.map((_, index) => `trial ${index + 1}`), "answer"],
    charts: [
      {
        id: "capacity-bracket",
        title: "The search",
        unit: unit === "rate" ? "per second" : "count",
        note: "the load of each trial, with the highest load so far that seemed to meet the objectives and the lowest that seemed to violate them",
        lines: [
          { label: "load", values: [...trials.map(({ figures }) => amountOf(figures.load)), load] },
          { label: "seemed met", values: [...brackets.map(({ met }) => met), low] },
          { label: "seemed violated", values: [...brackets.map(({ violated }) => violated), high] },
        ],
      },
    ],
  };
}

interface Bracket {
  readonly met: number | null;
  readonly violated: number | null;
}

function bracketOf({ objectives }: CapacityResult, trials: readonly CapacityTrial[]): Bracket {
  const judged = lastAtEachLoad(trials);
  const looksViolated = ({ readings }: CapacityTrial): boolean =>
    objectives.some(({ bound }, index) => (readings[index]?.value ?? 0) > bound);
  const violated = judged.find(looksViolated);
  const met = judged.findLast(
    (trial) =>
      !looksViolated(trial) &&
      (violated === undefined || amountOf(trial.figures.load) < amountOf(violated.figures.load)),
  );
  return {
    met: met === undefined ? null : amountOf(met.figures.load),
    violated: violated === undefined ? null : amountOf(violated.figures.load),
  };
}

function loads({ objectives, trials, unit }: CapacityResult): ComparisonData {
  const last = lastAtEachLoad(trials);
  return {
    id: "capacity-loads",
    title: "Loads tried",
    axis: unit === "rate" ? "rate" : "VUs",
    sentences: [],
    places: last.map(formatTrialLoad),
    charts: [
      ...objectives.map((objective, index) => readings(objective, index, last)),
      {
        id: "capacity-succeeded",
        title: "Throughput",
        note: "requests that succeeded",
        unit: "per second",
        lines: [{ label: "succeeded", values: last.map(({ figures }) => figures.goodRate) }],
      },
      {
        id: "capacity-times",
        title: "Response times",
        note: "percentiles",
        unit: "ms",
        lines: (["p50", "p99"] as const).map((label) => ({
          label,
          values: last.map(({ figures }) => figures.times?.[label] ?? null),
        })),
      },
    ],
  };
}

function readings(
  { text, judges, bound, gaugeUnit = "ms" }: CapacityObjective,
  index: number,
  trials: readonly CapacityTrial[],
): LineChartData {
  const line = (label: string, key: "value" | "low" | "high"): LineChartData["lines"][number] => ({
    label,
    values: trials.map((trial) => {
      const value = trial.readings[index]?.[key];
      return value === undefined ? null : Math.max(0, value);
    }),
  });
  return {
    id: `capacity-objective-${index + 1}`,
    title: text,
    unit: judges === "mean" ? chartUnitOf(gaugeUnit) : "share",
    note: `${judges === "mean" ? "mean" : "share of requests that violate it"}, its 95 % interval, and the limit`,
    lines: [
      { label: "allowed", values: trials.map(() => bound) },
      line("at least", "low"),
      line("at most", "high"),
      // The last line is drawn on top of the others.
      line("measured", "value"),
    ],
  };
}
