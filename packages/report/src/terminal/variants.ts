import type { TestResult } from "@bearhug/sdk";
import type { VariantsResult } from "@bearhug/sdk/result";

import type { Table } from "../model/table.ts";
import {
  describeCautions,
  describeTurns,
  describeUnclear,
  differenceTable,
  variantTable,
} from "../model/variants.ts";
import type { Style } from "./style.ts";
import { tableLines, warningLines } from "./table-section.ts";
import { renderAxis, renderTrack, scaleOf } from "./time-track.ts";

/**
 * Renders the variants of a run: their figures, their response times on one scale, and which differences are
 * real.
 */
export function renderVariants({ variants: result }: TestResult, style: Style): string[] {
  if (result === undefined) return [];
  const table = variantTable(result);
  const amounts = table.columns.filter(({ unit }) => unit === undefined).length;
  const differences = differenceTable(result);
  return [
    style.heading(table.title, describeTurns(result)),
    ...tableLines(partOf(table, 1, amounts), style),
    ...tableLines(partOf(table, amounts), style),
    ...renderChart(result, style),
    ...style.paragraph(style.text(`${differences.title.toLowerCase()}:`), { paint: style.faint }),
    ...tableLines(differences, style, { isTitled: false }),
    ...describeUnclear(result).flatMap((sentence) => style.paragraph(style.text(sentence), { hang: 2 })),
    ...warningLines(describeCautions(result), style),
  ];
}

/** Returns the first column and some others: all of them are too wide for a terminal. */
function partOf({ columns, rows }: Table, from: number, to?: number): Pick<Table, "columns" | "rows"> {
  const pick = <Item>(items: readonly Item[]): Item[] => [...items.slice(0, 1), ...items.slice(from, to)];
  return { columns: pick(columns), rows: rows.map(({ cells }) => ({ cells: pick(cells) })) };
}

const chartColumns = 48;

/** Draws each variant's response times, one below the other; empty if any of them is unknown. */
function renderChart({ variants }: VariantsResult, style: Style): string[] {
  const times = variants.flatMap(({ figures: { p50, p90, p99 } }) =>
    p50.value === null || p90.value === null || p99.value === null
      ? []
      : [{ p50: p50.value, p90: p90.value, p99: p99.value }],
  );
  const scale = scaleOf(times);
  if (scale === null || times.length < variants.length) return [];
  const rows = times.map((one, at) => [
    style.text(variants[at]?.name ?? ""),
    renderTrack(one, scale, chartColumns, style),
  ]);
  return style.table([{ title: "", shrinks: true }, { title: renderAxis(scale, chartColumns, style) }], rows);
}
