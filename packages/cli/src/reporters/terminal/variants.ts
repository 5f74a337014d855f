import type { TestResult } from "@bearhug/sdk";
import type { VariantsResult } from "@bearhug/sdk/internal";

import { formatDuration } from "../../format/duration.ts";
import type { Column, Row } from "../../format/table.ts";
import {
  amountCells,
  amountTitles,
  describeCautions,
  describeDifferences,
  describeTurns,
  timeCells,
  timeTitles,
} from "../variant-words.ts";
import type { Style } from "./style.ts";

/** The variants of a run: their figures, their response times on one scale, and which differences are real. */
export function renderVariants({ variants: result }: TestResult, style: Style): string[] {
  if (result === undefined) return [];
  const { variants } = result;
  const named = (cells: (variant: (typeof variants)[number]) => Row): Row[] =>
    variants.map((variant) => [style.text(variant.name), ...cells(variant)]);
  return [
    style.heading("Variants", describeTurns(result)),
    ...style.table(amountColumns, named(amountCells)),
    ...style.table(
      timeColumns,
      named((variant) => timeCells(variant, style.symbols.to).flat()),
    ),
    ...renderChart(result, style),
    ...renderDifferences(result, style),
    ...describeCautions(result).flatMap((text) =>
      style.paragraph(text, { lead: `${style.symbols.warning} `, paint: style.warning }),
    ),
  ];
}

const nameColumn: Column = { title: "", shrinks: true };

const kept: Readonly<Record<string, number>> = { received: 1, requests: 2, failed: 3, decoded: 4 };

const amountColumns: readonly Column[] = [
  nameColumn,
  ...amountTitles.map((title): Column => {
    const keep = kept[title];
    return { title, align: "right", ...(keep !== undefined && { keep }) };
  }),
];

/** Each with its interval, which goes first where room is short. */
const timeColumns: readonly Column[] = [
  nameColumn,
  ...timeTitles.flatMap((title): Column[] => [
    { title, align: "right" },
    { title: "", keep: 1 },
  ]),
];

const differenceColumns: readonly Column[] = [
  nameColumn,
  { title: "" },
  { title: "", align: "right" },
  { title: "", keep: 1 },
];

function renderDifferences({ variants }: VariantsResult, style: Style): string[] {
  const [first, ...others] = variants;
  if (first === undefined) return [];
  const described = others.map((variant) => ({ name: variant.name, ...describeDifferences(variant) }));
  const rows = described.flatMap(({ name, real }) =>
    real.map(({ figure, change, interval }) => [style.text(name), figure, change, interval]),
  );
  const unclear = described.filter((one) => one.others.length > 0);
  return [
    ...style.paragraph(`against ${style.text(first.name)}:`, { paint: style.faint }),
    ...(rows.length === 0 ? [] : style.table(differenceColumns, rows)),
    ...unclear.flatMap(({ name, others: figures }) =>
      style.paragraph(`${style.text(name)}: no clear difference in ${figures.join(", ")}`, { hang: 2 }),
    ),
  ];
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
