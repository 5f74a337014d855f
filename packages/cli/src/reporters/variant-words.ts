import type {
  ComparedFigureName,
  VariantDifference,
  VariantFigure,
  VariantResult,
  VariantsResult,
} from "@bearhug/sdk/internal";
import { comparedFigures } from "@bearhug/sdk/internal";

import { formatBytes } from "../format/bytes.ts";
import { formatDuration, formatMilliseconds, formatPlanned } from "../format/duration.ts";
import { atLeast, formatCount, formatNumber, formatRate, toSignificant } from "../format/number.ts";
import { formatPercent } from "../format/percent.ts";

/** The columns of a variant's amounts, and its cells. */
export const amountTitles = ["requests", "failed", "wire", "decoded", "requests/s", "received"] as const;

export function amountCells({ requests, figures }: VariantResult): string[] {
  const { failed, wireBytes, decodedBytes, requestsPerSecond, bytesPerSecond } = figures;
  return [
    formatCount(requests),
    shown(failed, (share) => formatPercent(share)),
    shown(wireBytes, formatSize),
    shown(decodedBytes, formatSize),
    withMargin(requestsPerSecond),
    shown(bytesPerSecond, (rate) => `${formatBytes(rate)}/s`),
  ];
}

export const timeTitles = ["p50", "p90", "p99"] as const;

/** Response times in ms: each, and its interval. */
export function timeCells({ figures }: VariantResult, to: string): [value: string, interval: string][] {
  return timeTitles.map((name) => {
    const { interval, isLowerBound } = figures[name];
    const value = shown(figures[name], (ms) => atLeast(formatMilliseconds(ms), isLowerBound));
    const ends = interval?.map(formatMilliseconds).join(to);
    return [value, ends === undefined ? "" : `(${ends})`];
  });
}

const names: Readonly<Record<ComparedFigureName, string>> = {
  wireBytes: "wire",
  requestsPerSecond: "requests/s",
  p50: "p50",
  p90: "p90",
  p99: "p99",
  failed: "failed",
};

/** A real difference: of which figure, how large, and its interval. */
export interface ToldDifference {
  readonly figure: string;
  readonly change: string;
  readonly interval: string;
}

/** The differences of a variant from the first: those that are real, and the names of the other figures. */
export function describeDifferences({ differences }: VariantResult): {
  readonly real: readonly ToldDifference[];
  readonly others: readonly string[];
} {
  if (differences === null) return { real: [], others: [] };
  const isReal = (name: ComparedFigureName): boolean => differences[name].isReal;
  return {
    real: comparedFigures.filter(isReal).map((name) => tell(name, differences[name])),
    others: comparedFigures.filter((name) => !isReal(name)).map((name) => names[name]),
  };
}

function tell(name: ComparedFigureName, { change, interval }: VariantDifference): ToldDifference {
  const unit = name === "failed" ? "percentage points" : "%";
  return {
    figure: names[name],
    change: change === null ? "" : `${signed(change)} ${unit}`,
    interval: interval === null ? "" : `${signed(interval[0])} to ${signed(interval[1])} ${unit}`,
  };
}

/** How the variants took turns. */
export function describeTurns({ turnMs, blocks }: VariantsResult): string {
  return `in turns of ${formatPlanned(turnMs)}, ${formatCount(blocks)} each; 95 % confidence intervals`;
}

/** Reasons to doubt the comparison, each with its remedy. */
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

/** A turn whose changeover is as long as an iteration. */
function turnFor(iterationMs: number, { turnMs, changeoverMs }: VariantsResult): string {
  return `${Math.max(1, Math.ceil((iterationMs * turnMs) / changeoverMs / 1000))}s`;
}

function shown({ value }: VariantFigure, format: (value: number) => string): string {
  return value === null ? "" : format(value);
}

/** Sizes are exact where all responses have one: to the byte, then. */
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
