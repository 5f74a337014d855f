import * as z from "zod";
import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { amount } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";
import { unitSchema } from "./result-metrics.ts";

/** A monitor's readings, such as those of the server's CPU, taken once a second while the load was applied. */
export interface MonitorResult {
  /** The name of the monitor, with which the names of its gauges begin. */
  readonly name: string;
  /** Its source: an address without credentials, or a process. */
  readonly source: string;
  /** The gauges, sorted by name. Empty if nothing could be read. */
  readonly gauges: readonly MonitoredGauge[];
  /** Times in which nothing could be read; the first 100. */
  readonly gaps: readonly MonitorGap[];
}

/** A monitored gauge over time, such as `server.cpu`. */
export interface MonitoredGauge {
  /** The name of the gauge, as in thresholds. */
  readonly metric: string;
  readonly unit: MetricUnit;
  readonly values: MonitoredValues;
  /** The mean of the readings in each of the run's `intervals`; null for an interval without readings. */
  readonly points: readonly (number | null)[];
}

/** A monitored gauge over the whole test. */
export interface MonitoredValues {
  /** The latest reading. */
  readonly value: number;
  /** The mean of all readings. */
  readonly avg: number;
  readonly min: number;
  readonly max: number;
}

/** A time without readings. */
export interface MonitorGap {
  /** Its start, from the start of the measured load. */
  readonly fromMs: number;
  /** Its end, from the start of the measured load. */
  readonly toMs: number;
  /** The reason, such as "connection refused". */
  readonly reason: string;
}

export const monitorSchema: () => z.ZodType<MonitorResult> = once(() =>
  z.object({
    name: z.string(),
    source: z.string(),
    gauges: z.array(
      z.object({
        metric: z.string(),
        unit: unitSchema(),
        values: z.object({ value: z.number(), avg: z.number(), min: z.number(), max: z.number() }),
        points: z.array(z.number().nullable()),
      }),
    ),
    gaps: z.array(z.object({ fromMs: amount(), toMs: amount(), reason: z.string() })),
  }),
);
