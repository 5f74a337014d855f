import { z } from "zod";
import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { unitSchema } from "./result-metrics.ts";
import { sourcePositionSchema } from "./source-position.ts";
import type { SourcePosition } from "./source-position.ts";

/** How a threshold was judged. */
export interface ThresholdResult {
  /** The key as it was written: the metric, with its tag filter. */
  readonly metric: string;
  /** The expression as it was written. */
  readonly expression: string;
  /** Null where it was not judged, as after an interruption. */
  readonly passed: boolean | null;
  /** The value of the expression's left side, in `unit`; null if no sample arrived. */
  readonly actual: number | null;
  readonly unit: MetricUnit;
  /** How many samples it was judged on. */
  readonly samples: number;
  /** Present where `actual` is only a lower bound: how many of `samples` were cut off before they ended. */
  readonly censoredSamples?: number;
  /** The sliding window; null where the whole test was judged. */
  readonly window: ThresholdWindow | null;
  /** True if it passes without a sample. */
  readonly allowEmpty: boolean;
  /** Where it was written; null where that isn't known. */
  readonly source: SourcePosition | null;
}

/** The sliding window of a threshold. */
export interface ThresholdWindow {
  readonly widthMs: number;
  /** The end of the first full window in which it did not hold, from the start of the load; null where there was none. */
  readonly failedAtMs: number | null;
}

/** How often a check held. */
export interface CheckResult {
  readonly name: string;
  readonly scenario: string;
  /** Null outside of pages. */
  readonly page: string | null;
  readonly passes: number;
  /** Evaluations that did not hold; those that threw among them. */
  readonly fails: number;
  /** The first exception of those that threw; null where none did. */
  readonly exception: CheckException | null;
}

/** An exception of a check's function. */
export interface CheckException {
  /** How many evaluations threw. */
  readonly count: number;
  /** Of the first. */
  readonly message: string;
  /** When the first was thrown, from the start of the load. */
  readonly firstAtMs: number;
  /** The place at which it was thrown; null if unknown. */
  readonly source: SourcePosition | null;
  /** The lines of source around it. */
  readonly frame: string | null;
}

const count = z.int().nonnegative();

export const thresholdSchema: z.ZodType<ThresholdResult> = z.object({
  metric: z.string(),
  expression: z.string(),
  passed: z.boolean().nullable(),
  actual: z.number().nullable(),
  unit: unitSchema,
  samples: count,
  censoredSamples: z.int().positive().exactOptional(),
  window: z
    .object({ widthMs: z.number().positive(), failedAtMs: z.number().nonnegative().nullable() })
    .nullable(),
  allowEmpty: z.boolean(),
  source: sourcePositionSchema.nullable(),
});

export const checkSchema: z.ZodType<CheckResult> = z.object({
  name: z.string(),
  scenario: z.string(),
  page: z.string().nullable(),
  passes: count,
  fails: count,
  exception: z
    .object({
      count: z.int().positive(),
      message: z.string(),
      firstAtMs: z.number().nonnegative(),
      source: sourcePositionSchema.nullable(),
      frame: z.string().nullable(),
    })
    .nullable(),
});
