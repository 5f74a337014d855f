import * as z from "zod";

import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { unitSchema } from "./result-metrics.ts";
import { sourcePositionSchema, type SourcePosition } from "./source-position.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The verdict on a threshold. */
export interface ThresholdResult {
  /** The key as it was written: the metric, with its tag filter. */
  readonly metric: string;
  /** The expression as it was written. */
  readonly expression: string;
  /** Null if it was not judged, as after an interruption. */
  readonly passed: boolean | null;
  /** The value of the expression's left side, in `unit`; null if no sample arrived. */
  readonly actual: number | null;
  /** The unit of `actual`: null for the count of a trend, per second for the rate of a counter. */
  readonly unit: MetricUnit;
  /** The number of samples that it was judged on. */
  readonly samples: number;
  /** The number of `samples` that were cut off; only if this makes `actual` a lower bound. */
  readonly censoredSamples?: number;
  /** The sliding window; null if the whole test was judged. */
  readonly window: ThresholdWindow | null;
  /** True if it passes without a sample. */
  readonly allowEmpty: boolean;
  /** Its place in the source; null if unknown. */
  readonly source: SourcePosition | null;
}

/** The sliding window of a threshold. */
export interface ThresholdWindow {
  readonly widthMs: number;
  /**
   * The end of the first complete window in which the threshold failed, from the start of the load; null if
   * there was none.
   */
  readonly failedAtMs: number | null;
}

export const thresholdSchema: () => z.ZodType<ThresholdResult> = once(() =>
  z.object({
    metric: z.string(),
    expression: z.string(),
    passed: z.boolean().nullable(),
    actual: z.number().nullable(),
    unit: unitSchema(),
    samples: count(),
    censoredSamples: z.int().positive().exactOptional(),
    window: z.object({ widthMs: z.number().positive(), failedAtMs: amount().nullable() }).nullable(),
    allowEmpty: z.boolean(),
    source: sourcePositionSchema().nullable(),
  }),
);
