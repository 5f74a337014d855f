import type { MetricDelta } from "@bearhug/metrics/accumulator";

import type { CollectorInput, RecordedMoment, RecordedRun } from "../outcome/run-record.ts";
import { toNumbers } from "./metric-numbers.ts";
import { writeThreshold } from "./recorded-threshold.ts";

export const recordingSchema = "bearhug/recording@1";

/** The process that writes a recording. Once it is gone, no other process reports the run. */
export interface Writer {
  readonly pid: number;
  readonly host: string;
}

/** Returns the first line of a recording. */
export function formatHeadLine(run: RecordedRun, writer: Writer): string {
  const thresholds = run.thresholds.map((one) => ({ ...one, threshold: writeThreshold(one.threshold) }));
  return `${JSON.stringify({ schema: recordingSchema, ...writer, run: { ...run, thresholds } })}\n`;
}

/** Returns a later line. These are numbered from 1, so that missing and duplicate lines are detected. */
export function formatMomentLine(moment: RecordedMoment, number: number): string {
  return `${JSON.stringify({ number, ...moment, inputs: moment.inputs.map(writeInput) })}\n`;
}

function writeInput(input: CollectorInput): unknown {
  if (input.kind !== "snapshot") return input;
  const { series, turns } = input.snapshot;
  const written = {
    ...input.snapshot,
    series: series.map((one) => ({ ...one, metrics: writeMetrics(one.metrics) })),
    ...(turns && { turns: turns.map((one) => ({ ...one, metrics: writeMetrics(one.metrics) })) }),
  };
  return { ...input, snapshot: written };
}

function writeMetrics(metrics: Readonly<Record<string, MetricDelta>>): Record<string, number[]> {
  const written: Record<string, number[]> = {};
  for (const name in metrics) {
    const delta = metrics[name];
    if (delta !== undefined) written[name] = toNumbers(delta);
  }
  return written;
}
