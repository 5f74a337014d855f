import type { TestResult } from "@bearhug/sdk";
import type { OverloadPhase } from "@bearhug/sdk/result";

import { percentileLines } from "../hdr/percentile-text.ts";
import { responseTimes } from "../hdr/response-times.ts";
import { describeSearch, trialTable } from "../model/capacity.ts";
import { describeGaps, gaugeTable } from "../model/monitors.ts";
import { describeOverload, phaseTable } from "../model/overload.ts";
import { scenarioTable } from "../model/run-parts.ts";
import { type Row, type Table, text } from "../model/table.ts";
import { thresholdTable } from "../model/thresholds.ts";
import type { Style } from "./style.ts";
import { listLines, tableLines, tableSection, warningLines } from "./table-section.ts";

/** A part of the summary; it is left out if it has no lines. */
export type Section = (result: TestResult, style: Style) => string[];

const mostRows = 20;

/** Makes a section of a table that has a row for each part of a run. */
export const partsSection =
  (tableOf: (result: TestResult, most: number) => Table): Section =>
  (result, style) =>
    tableSection(tableOf(result, mostRows), style, { most: mostRows });

/** Left out for a run with one scenario, whose figures are those of the run. */
export const scenarioSection: Section = (result, style) =>
  result.plan.scenarios.length < 2 ? [] : partsSection(scenarioTable)(result, style);

/** Renders the search for the capacity: its confirmation, its limit, and every trial. */
export function renderCapacity({ capacity }: TestResult, style: Style): string[] {
  if (capacity === undefined) return [];
  return [
    style.heading("Capacity"),
    ...listLines(describeSearch(capacity), style),
    ...tableLines(trialTable(capacity), style),
  ];
}

const barColumns = 13;

/** Renders how the target behaved above its rate: goodput against offered load, phase by phase. */
export function renderOverload({ overload }: TestResult, style: Style): string[] {
  if (overload === undefined) return [];
  const { phases } = overload;
  const most = Math.max(0, ...phases.map(({ offered, goodput }) => Math.max(offered, goodput)));
  const { columns, rows } = phaseTable(overload);
  const table = {
    columns: [...columns, { ...text("of the load"), keep: 1 }],
    rows: rows.map(({ cells }, at) => ({ cells: [...cells, { text: renderBar(phases[at], most, style) }] })),
  };
  return [
    style.heading("Overload"),
    ...describeOverload(overload).flatMap((sentence) => style.paragraph(style.text(sentence))),
    ...tableLines(table, style),
  ];
}

/** Draws a bar as long as the offered load, filled as far as goodput. */
function renderBar(phase: OverloadPhase | undefined, most: number, { symbols }: Style): string {
  if (phase === undefined || most === 0) return "";
  const [good, all] = [phase.goodput, phase.offered].map((rate) => Math.round((rate / most) * barColumns));
  return symbols.block.repeat(good ?? 0) + symbols.barLeft.repeat(Math.max(0, (all ?? 0) - (good ?? 0)));
}

/** Renders each threshold with its measured value, and details of those that failed. */
export function renderThresholds(result: TestResult, style: Style): string[] {
  const indent = 4 + Math.max(style.symbols.failed.length, style.symbols.passed.length);
  const below = ({ details }: Row): string[] => {
    const { sentences, place } = details ?? { sentences: [], place: null };
    const pieces = [...sentences, ...(place === null ? [] : [style.text(place)])];
    return pieces.length === 0 ? [] : style.pieces(pieces, { indent, paint: style.faint });
  };
  return tableSection(thresholdTable(result), style, { isTitled: false, below });
}

/** Renders the gauges of monitored servers and processes, and when they could not be read. */
export function renderMonitors(result: TestResult, style: Style): string[] {
  if (result.monitors.length === 0) return [];
  const table = gaugeTable(result);
  return [
    style.heading(table.title),
    ...tableLines(table, style),
    ...warningLines(describeGaps(result), style),
  ];
}

const indent = "  ";

/** Renders the percentiles of response times, in the text form of HdrHistogram. */
export function renderLatency(result: TestResult, style: Style): string[] {
  return responseTimes(result).flatMap(({ client, ...times }, index) => [
    ...(index === 0 ? [] : [""]),
    style.heading("Response times", `${client === null ? "" : `of ${style.text(client)}, `}in ms`),
    ...percentileLines(times).map((line) => (line === "" ? line : indent + line)),
  ]);
}
