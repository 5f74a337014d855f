import { writePosition } from "@bearhug/metrics/results/source-position";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { peakVus, lastEndMs, peakVusOfAll, startsUntilMs } from "@bearhug/plan/executors/load-models";
import type { PlannedScenario } from "@bearhug/plan/protocol/plan";
import type { PlannedRun } from "@bearhug/plan/test-file/make-plan";
import type { Style } from "@bearhug/report/terminal/style";
import type { SourcePosition } from "@bearhug/sdk/result";
import { formatPlanned } from "@bearhug/text/duration";
import { formatCount } from "@bearhug/text/number";
import type { Row } from "@bearhug/text/table";

import type { CheckedPlan } from "../documents/documents.ts";
import { renderLoadChart } from "./load-chart.ts";

/** Renders a planned run: its scenarios as a table and as a chart over time, and its thresholds. */
export function renderPlan(
  { plan, thresholds }: PlannedRun,
  position: SourcePosition,
  style: Style,
): string[] {
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  const chart = renderLoadChart(scenarios, plan.warmupMs, style);
  const facts = [
    style.text(plan.baseUrl ?? "no baseUrl"),
    plan.workers === 1 ? "1 worker" : `${plan.workers} workers`,
    ...(plan.http.origin ? ["sends its origin with POST, PUT, PATCH and DELETE"] : []),
    ...(plan.warmupMs > 0 ? [`the first ${formatPlanned(plan.warmupMs)} are warm-up`] : []),
  ];
  return [
    style.heading(style.text(plan.testName), style.text(writePosition(position))),
    ...style.pieces(facts),
    "",
    ...style.table(
      scenarioColumns,
      plan.scenarios.map((planned) => scenarioRow(planned, style)),
    ),
    ...(chart.length > 0 ? ["", ...chart] : []),
    "",
    ...(thresholds.length > 0
      ? style.table(
          thresholdColumns,
          thresholds.map((threshold) => thresholdRow(threshold, style)),
        )
      : style.paragraph("no thresholds: a run passes however slow the responses are", {
          paint: style.warning,
        })),
  ];
}

const scenarioColumns = [
  { title: "scenario", shrinks: true },
  { title: "load", shrinks: true },
  { title: "most VUs", align: "right", keep: 1 },
] as const;

function scenarioRow({ scenario, description }: PlannedScenario, { text }: Style): Row {
  return [text(scenario.name), text(description), formatCount(peakVus(scenario))];
}

const thresholdColumns = [
  { title: "threshold", shrinks: true },
  { title: "" },
  { title: "", shrinks: true },
] as const;

function thresholdRow(
  { metric, expression, abortOnFail, delayAbortEvalMs, windowMs, allowEmpty }: ValidatedThreshold,
  style: Style,
): Row {
  const delay = delayAbortEvalMs > 0 ? ` after ${formatPlanned(delayAbortEvalMs)}` : "";
  const notes = [
    ...(windowMs === null ? [] : [`in every window of ${formatPlanned(windowMs)}`]),
    ...(abortOnFail ? [`ends the run if it fails${delay}`] : []),
    ...(allowEmpty ? ["passes without samples"] : []),
  ];
  return [style.text(metric), style.text(expression), { text: notes.join(", "), paint: style.faint }];
}

/** Describes a planned run for `check --json`. */
export function describePlan(
  { plan, thresholds, notes }: PlannedRun,
  { file, line, column }: SourcePosition,
): CheckedPlan {
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  return {
    file,
    line,
    column,
    name: plan.testName,
    baseUrl: plan.baseUrl,
    allowHosts: plan.allowHosts,
    allowUnmeasured: plan.allowUnmeasured,
    workers: plan.workers,
    warmupMs: plan.warmupMs,
    loadMs: startsUntilMs(scenarios),
    durationMs: lastEndMs(scenarios),
    vus: peakVusOfAll(scenarios),
    scenarios: plan.scenarios.map(({ scenario, description }) => ({
      name: scenario.name,
      executor: scenario.executor,
      load: description,
      vus: peakVus(scenario),
    })),
    thresholds: thresholds.map(({ metric, expression, abortOnFail }) => ({
      metric,
      expression,
      abortOnFail,
    })),
    notes,
  };
}
