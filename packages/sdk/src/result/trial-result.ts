import * as z from "zod";

import { type GeneratorResult, generatorVerdictSchema } from "./result-generator.ts";
import type { MonitoredGauge } from "./result-monitors.ts";
import { unitSchema } from "./result-metrics.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The load of a trial, held constant: virtual users of a closed model, or iterations started per second. */
export type TrialLoad =
  | { readonly kind: "vus"; readonly vus: number }
  | { readonly kind: "rate"; readonly perSecond: number };

/** The times of a trial's operations, in ms. */
export interface TrialTimes {
  readonly avg: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** The 95 % confidence intervals of percentiles; absent if there are too few samples. */
  readonly confidence: Readonly<
    Partial<Record<"p50" | "p90" | "p95" | "p99", readonly [low: number, high: number]>>
  >;
  /**
   * The least censored sample: every figure from here on is a lower bound. Null if no sample was censored.
   */
  readonly lowerBoundFrom: number | null;
}

const operations = ["request", "iteration"] as const;

/** The figures of one run at one load, for modes that compare several loads. Rates are per second. */
export interface TrialResult {
  readonly load: TrialLoad;
  /** The start of the measurement, in UTC (ISO 8601). */
  readonly startedAt: string;
  /** The length of the measurement, until the end of the last iteration. */
  readonly durationMs: number;
  /**
   * The time by which counts are divided for rates. In a closed model, as many iterations start as end, so it
   * ends with the load. At an arrival rate, it is `durationMs`: iterations may pile up, and the target then
   * needs longer than the load for them.
   */
  readonly rateMs: number;
  /** The operations that the figures count: HTTP requests, or iterations if the test sends no requests. */
  readonly operation: (typeof operations)[number];
  /** Operations that ended, failed ones included. */
  readonly count: number;
  /** Operations that ended per second: the throughput. */
  readonly rate: number;
  /** The standard error of `rate`, estimated from its single seconds; null if there are too few. */
  readonly rateError: number | null;
  /** Operations per second that did not fail. */
  readonly goodRate: number;
  /** The share of operations that failed, from 0 to 1. */
  readonly failedShare: number;
  /** Iterations that were due per second; null in a closed model, where the target sets the pace. */
  readonly offeredRate: number | null;
  /** Iterations that ended per second. */
  readonly iterationRate: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /** The average number of operations in flight: throughput times mean duration (Little's law). */
  readonly concurrency: number;
  /**
   * The average number of virtual users in an iteration: iterations per second times their mean duration
   * (Little's law).
   */
  readonly busyVus: number;
  /** Response times; null if there are no samples. */
  readonly times: TrialTimes | null;
  /** The most frequent kinds of failure. */
  readonly errors: readonly { readonly code: string; readonly count: number }[];
  /** Bytes received per second, on the wire. */
  readonly receivedRate: number;
  readonly generator: Pick<GeneratorResult, "verdict" | "reasons">;
  /** The mean of each monitored gauge; absent if nothing was monitored. */
  readonly gauges?: readonly TrialGauge[];
  /** Thresholds of the test that failed, as "metric: expression". */
  readonly failedThresholds: readonly string[];
}

/** The mean of a monitored gauge. */
export interface TrialGauge extends Pick<MonitoredGauge, "metric" | "unit"> {
  readonly avg: number;
}

const interval = once(() => z.tuple([amount(), amount()]).exactOptional());

const loadSchema: () => z.ZodType<TrialLoad> = once(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("vus"), vus: z.int().positive() }),
    z.object({ kind: z.literal("rate"), perSecond: z.number().positive() }),
  ]),
);

export const trialSchema: () => z.ZodType<TrialResult> = once(() =>
  z.object({
    load: loadSchema(),
    startedAt: z.iso.datetime(),
    durationMs: amount(),
    rateMs: amount(),
    operation: z.enum(operations),
    count: count(),
    rate: amount(),
    rateError: amount().nullable().default(null),
    goodRate: amount(),
    failedShare: amount().max(1),
    offeredRate: amount().nullable(),
    iterationRate: amount(),
    dropped: count(),
    concurrency: amount(),
    busyVus: amount(),
    times: z
      .object({
        avg: amount(),
        p50: amount(),
        p90: amount(),
        p95: amount(),
        p99: amount(),
        max: amount(),
        confidence: z.object({ p50: interval(), p90: interval(), p95: interval(), p99: interval() }),
        lowerBoundFrom: amount().nullable(),
      })
      .nullable(),
    errors: z.array(z.object({ code: z.string(), count: count() })),
    receivedRate: amount(),
    generator: z.object({ verdict: generatorVerdictSchema(), reasons: z.array(z.string()) }),
    gauges: z.array(z.object({ metric: z.string(), unit: unitSchema(), avg: z.number() })).exactOptional(),
    failedThresholds: z.array(z.string()),
  }),
);
