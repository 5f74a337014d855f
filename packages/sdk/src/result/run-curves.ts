import * as z from "zod";

import { amount } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The course of one run of a comparison, for its charts. */
export interface RunCurves {
  /** The run's intervals, in order. */
  readonly moments: readonly RunMoment[];
  /** Percentiles of all request durations with their times in ms, ascending. */
  readonly percentiles: readonly (readonly [percentile: number, ms: number])[];
}

/** An interval of a run. Rates are per second. */
export interface RunMoment {
  /** The end of the interval, from the start of the load. */
  readonly atMs: number;
  /** The median of request durations; null without a sample. */
  readonly p50Ms: number | null;
  /** The 95th percentile of request durations; null without a sample. */
  readonly p95Ms: number | null;
  /** The 99th percentile of request durations; null without a sample. */
  readonly p99Ms: number | null;
  readonly requestRate: number;
  readonly failedRequestRate: number;
  readonly vus: number;
  readonly iterationRate: number;
  readonly droppedRate: number;
  /** Bytes received per second. */
  readonly receivedRate: number;
}

export const runCurvesSchema: () => z.ZodType<RunCurves> = once(() =>
  z.object({
    moments: z.array(
      z.object({
        atMs: amount(),
        p50Ms: amount().nullable(),
        p95Ms: amount().nullable(),
        p99Ms: amount().nullable(),
        requestRate: amount(),
        failedRequestRate: amount(),
        vus: amount(),
        iterationRate: amount(),
        droppedRate: amount(),
        receivedRate: amount(),
      }),
    ),
    percentiles: z.array(z.tuple([z.number().min(0).max(100), amount()])),
  }),
);
