import type { TestResult } from "@bearhug/sdk";
import type { VariantsResult } from "@bearhug/sdk/internal";

import { formatDuration } from "../../format/duration.ts";
import type { Row } from "../../format/table.ts";
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

/** The variants of a run: their figures, their response times on one scale, and which differences are real. */
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

/** Some columns beside the first: all of them are too wide for a terminal. */
function partOf({ columns, rows }: Table, from: number, to?: number): Pick<Table, "columns" | "rows"> {
  const pick = <Item>(items: readonly Item[]): Item[] => [...items.slice(0, 1), ...items.slice(from, to)];
  return { columns: pick(columns), rows: rows.map(({ cells }) => ({ cells: pick(cells) })) };
}

const chartWidth = 48;

/** Each variant's response times from p50 over p90 to p99, one below the other on a logarithmic scale. */
function renderChart({ variants }: VariantsResult, style: Style): string[] {
  const spans = variants.map(({ name, figures: { p50, p90, p99 } }) => ({
    name,
    times: [p50.value ?? 0, p90.value ?? 0, p99.value ?? 0] as const,
  }));
  const all = spans.flatMap(({ times }) => times).filter((ms) => ms > 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (all.length < spans.length * 3 || most <= least) return [];
  const place = (ms: number): number =>
    Math.round((Math.log(ms / least) / Math.log(most / least)) * (chartWidth - 1));
  const { barDone, barLeft } = style.symbols;
  const rows = spans.map(({ name, times: [p50, p90, p99] }): Row => {
    const [start, middle, end] = [place(p50), place(p90), place(p99)];
    const bar = barDone.repeat(middle - start + 1) + barLeft.repeat(end - middle);
    return [style.text(name), " ".repeat(start) + bar];
  });
  const scale = `${formatDuration(least)}${formatDuration(most).padStart(chartWidth - formatDuration(least).length)}`;
  const title = `p50 ${barDone.repeat(3)} p90 ${barLeft.repeat(3)} p99, logarithmic`;
  return style.table([{ title: "", shrinks: true }, { title }], [...rows, ["", style.faint(scale)]]);
}
