import type { TestResult } from "@bearhug/sdk";
import { minJudgedMs } from "@bearhug/sdk/internal";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { formatCounted, formatNumber } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { generatorWord } from "../generator-verdict.ts";
import type { Style } from "./style.ts";

type Generator = TestResult["generator"];

/**
 * Renders whether the load generator kept up: if it did not, the figures measure the generator. Empty without
 * a load.
 */
export function renderGenerator({ generator, durationMs }: TestResult, style: Style): string[] {
  if (generator.workers.length === 0) return [];
  const isTooShort = durationMs < minJudgedMs;
  const word = generatorWord(generator, durationMs);
  const paints = {
    healthy: style.good,
    "not judged": style.faint,
    strained: style.warning,
    saturated: style.bad,
  };
  const paint = paints[word];
  const [first = "", ...rest] = describeWorkers(generator);
  return [
    style.heading("Generator"),
    ...style
      .pieces([`${word}: ${first}`, ...rest])
      .map((line, index) => (index === 0 ? line.replace(word, paint) : line)),
    ...(isTooShort ? style.paragraph(tooShort, { paint: style.faint }) : []),
    ...(generator.process === null ? [] : style.pieces(describeProcess(generator.process).map(style.text))),
    ...generator.reasons.flatMap((reason) =>
      style.paragraph(style.text(reason), { lead: `${style.symbols.warning} ` }),
    ),
    ...generator.workers.flatMap(({ id, lost }) =>
      lost === null
        ? []
        : style.paragraph(`worker ${id} was lost: ${style.text(lost)}`, {
            lead: `${style.symbols.failed} `,
            paint: style.bad,
          }),
    ),
  ];
}

const tooShort = `the run was shorter than ${formatDuration(minJudgedMs)}: too short to judge the generator`;

function describeWorkers({ workers }: Generator): string[] {
  const busiest = highest(workers.map(({ utilization }) => utilization));
  const loopDelay = highest(workers.map(({ loopDelayP99Ms }) => loopDelayP99Ms));
  const lag = highest(workers.map(({ scheduleLagP99Ms }) => scheduleLagP99Ms));
  return [
    formatCounted(workers.length, "worker"),
    ...(busiest === null ? [] : [`busy ${formatPercent(busiest, 0)} of the time`]),
    ...(loopDelay === null ? [] : [`loop delay p99 ${formatDuration(loopDelay)}`]),
    ...(lag === null ? [] : [`schedule lag p99 ${formatDuration(lag)}`]),
  ];
}

/**
 * Describes the process. CPU and bytes are measured from second to second: 0 means that there was no
 * measurement.
 */
function describeProcess(used: NonNullable<Generator["process"]>): string[] {
  const { cpuCores, peakMemoryMb, peakConnections, peakReceivedBytesPerSecond: received, limits } = used;
  const cores = limits.cores === 1 ? "1 core" : `${formatNumber(limits.cores)} cores`;
  return [
    ...(cpuCores === 0 ? [] : [`CPU ${cpuCores.toFixed(2)} of ${cores}`]),
    `memory up to ${formatBytes(peakMemoryMb * 2 ** 20)}`,
    `up to ${formatCounted(peakConnections, "connection")}`,
    ...(received === 0 ? [] : [`receiving up to ${formatBytes(received)}/s`]),
  ];
}

/** Returns the figure of the worst worker: a single slow one spoils a percentile. */
function highest(measures: readonly (number | null)[]): number | null {
  const known = measures.filter((measure) => measure !== null);
  return known.length === 0 ? null : Math.max(...known);
}
