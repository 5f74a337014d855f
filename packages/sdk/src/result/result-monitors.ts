import * as z from "zod";
import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { once } from "../validation/once.ts";
import { unitSchema } from "./result-metrics.ts";

/** A monitor's readings, such as those of the server's CPU, taken once a second while the load was applied. */
export interface MonitorResult {
  /** Its gauges' names begin with it. */
  readonly name: string;
  /** Its source: an address without credentials, or a process. */
  readonly source: string;
  /** By name. Empty if nothing could be read. */
  readonly gauges: readonly MonitoredGauge[];
  /** When nothing could be read; the first 100. */
  readonly gaps: readonly MonitorGap[];
}

/** One figure over time, such as `server.cpu`. */
export interface MonitoredGauge {
  /** As thresholds name it. */
  readonly metric: string;
  readonly unit: MetricUnit;
  readonly values: MonitoredValues;
  /** The mean of the readings in each of the run's `intervals`; null where there was none. */
  readonly points: readonly (number | null)[];
}

/** A monitored gauge over the whole test. */
export interface MonitoredValues {
  /** The latest. */
  readonly value: number;
  /** The mean of all readings. */
  readonly avg: number;
  readonly min: number;
  readonly max: number;
}

/** A time without readings. */
export interface MonitorGap {
  /** From the start of the measured load. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Such as "connection refused". */
  readonly reason: string;
}

const ms = once(() => z.number().nonnegative());

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
    gaps: z.array(z.object({ fromMs: ms(), toMs: ms(), reason: z.string() })),
  }),
);
