import { comparedFigures } from "@bearhug/sdk/internal";
import type {
  ComparedFigureName,
  VariantDifference,
  VariantFigure,
  VariantsResult,
} from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration, formatMilliseconds, formatPlanned } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatNumber, formatRate, toSignificant } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { type Cell, type Column, countCell, name, number, type Table, text, valueCell } from "./table.ts";

/** Returns the table of variants: their amounts, then their response times with intervals. */
export function variantTable({ variants }: VariantsResult): Table {
  return {
    id: "variant-figures",
    title: "Variants",
    note: "times in ms; 95 % confidence intervals",
    columns: [
      name("variant"),
      number("requests", 2),
      number("failed", 3),
      number("wire"),
      number("decoded", 4),
      number("requests/s"),
      number("received", 1),
      ...times.map((time): Column => ({ ...number(time), unit: "ms" })),
    ],
    rows: variants.map(({ name: variant, requests, figures }) => ({
      cells: [
        { text: variant },
        countCell(requests),
        valueCell(figures.failed.value, formatPercent),
        valueCell(figures.wireBytes.value, formatSize),
        valueCell(figures.decodedBytes.value, formatSize),
        valueCell(figures.requestsPerSecond.value, () => withMargin(figures.requestsPerSecond)),
        valueCell(figures.bytesPerSecond.value, (rate) => `${formatBytes(rate)}/s`),
        ...times.map((time) => timeCell(figures[time])),
      ],
    })),
  };
}

const times = ["p50", "p90", "p99"] as const;

function timeCell({ value, interval, isLowerBound }: VariantFigure): Cell {
  const cell = valueCell(value, (ms) => markLowerBound(formatMilliseconds(ms), isLowerBound));
  return interval === null ? cell : { ...cell, aside: `(${interval.map(formatMilliseconds).join("–")})` };
}

const figureNames: Readonly<Record<ComparedFigureName, string>> = {
  wireBytes: "wire",
  requestsPerSecond: "requests/s",
  p50: "p50",
  p90: "p90",
  p99: "p99",
  failed: "failed",
};

/** Returns the table of real differences between the other variants and the first. */
export function differenceTable({ variants: [first, ...others] }: VariantsResult): Table {
  return {
    id: "variant-differences",
    title: `Against ${first?.name ?? ""}`,
    note: "",
    columns: [
      name("variant"),
      text("figure"),
      number("change"),
      { ...text("95 % confidence interval"), keep: 1 },
    ],
    rows: others.flatMap(({ name: variant, differences }) =>
      comparedFigures.flatMap((figure) => {
        const difference = differences?.[figure];
        if (difference?.isReal !== true) return [];
        return [
          { cells: [{ text: variant }, { text: figureNames[figure] }, ...changeCells(figure, difference)] },
        ];
      }),
    ),
  };
}

function changeCells(figure: ComparedFigureName, { change, interval }: VariantDifference): Cell[] {
  const unit = figure === "failed" ? "percentage points" : "%";
  return [
    valueCell(change, (share) => `${signed(share)} ${unit}`),
    { text: interval === null ? "" : `${interval.map(signed).join(" to ")} ${unit}` },
  ];
}

/** Names, for each other variant, the figures without a clear difference from the first. */
export function describeUnclear({ variants }: VariantsResult): string[] {
  return variants.slice(1).flatMap(({ name: variant, differences }) => {
    const unclear = comparedFigures.filter((figure) => differences?.[figure].isReal === false);
    if (unclear.length === 0) return [];
    return [`${variant}: no clear difference in ${unclear.map((figure) => figureNames[figure]).join(", ")}`];
  });
}

/** Describes how the variants took turns. */
export function describeTurns({ turnMs, blocks }: VariantsResult): string {
  return `in turns of ${formatPlanned(turnMs)}, ${formatCount(blocks)} each; 95 % confidence intervals`;
}

/** Describes the reasons to doubt the comparison, each with its remedy. */
export function describeCautions(result: VariantsResult): string[] {
  const { stretches, leastStretches, longIterationMs, turnMs, changeoverMs, variants } = result;
  const neededMs = leastStretches * variants.length * turnMs;
  return [
    ...(stretches < leastStretches
      ? [
          `${formatCount(stretches)} turns of each variant are too few to tell a difference from chance: run for ${formatPlanned(Math.ceil(neededMs / 1000) * 1000)} or longer.`,
        ]
      : []),
    ...(longIterationMs === null
      ? []
      : [
          `95 % of iterations took up to ${formatDuration(longIterationMs)}, longer than the changeover of ${formatPlanned(changeoverMs)}: variants overlapped, and a slow one may have slowed the others. Use longer turns: --turn ${turnFor(longIterationMs, result)}.`,
        ]),
  ];
}

/** Returns a turn whose changeover is as long as an iteration. */
function turnFor(iterationMs: number, { turnMs, changeoverMs }: VariantsResult): string {
  return `${Math.max(1, Math.ceil((iterationMs * turnMs) / changeoverMs / 1000))}s`;
}

/** Formats a mean size. A whole number is shown to the byte: all responses have that size. */
function formatSize(bytes: number): string {
  return Number.isInteger(bytes) ? `${formatCount(bytes)} B` : formatBytes(bytes);
}

function withMargin(figure: VariantFigure): string {
  const { value, interval } = figure;
  if (value === null) return "";
  const rate = formatRate(value).replace("/s", "");
  if (interval === null || value === 0) return rate;
  return `${rate} ±${formatNumber(Math.round(((interval[1] - interval[0]) / 2 / value) * 100))} %`;
}

function signed(share: number): string {
  const percent = share * 100;
  if (percent === 0) return "0";
  return `${percent < 0 ? "−" : "+"}${toSignificant(Math.abs(percent), 3)}`;
}
