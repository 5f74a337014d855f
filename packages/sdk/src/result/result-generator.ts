import { z } from "zod";
import { processSchema } from "./result-process.ts";
import type { ProcessResult } from "./result-process.ts";

/** How one worker fared. Its measures are null where it was lost before it told them. */
export interface WorkerResult {
  /** Counts from 0. */
  readonly id: number;
  /** The share of time that its event loop was busy, from 0 to 1. */
  readonly utilization: number | null;
  /** The 99th percentile of its event loop's delay. */
  readonly loopDelayP99Ms: number | null;
  /** The 99th percentile of how late it started what was due; null where nothing was scheduled, too. */
  readonly scheduleLagP99Ms: number | null;
  /** Why it was lost; null where it was not. */
  readonly lost: string | null;
}

/** Whether the load generator itself could keep up. Measures of a saturated one are measures of itself. */
export interface GeneratorResult {
  readonly verdict: "healthy" | "strained" | "saturated";
  /** Why it is not healthy. */
  readonly reasons: readonly string[];
  readonly workers: readonly WorkerResult[];
  /** Null where no load was applied. */
  readonly process: ProcessResult | null;
}

const measure = z.number().nonnegative().nullable();

export const generatorSchema: z.ZodType<GeneratorResult> = z.object({
  verdict: z.enum(["healthy", "strained", "saturated"]),
  reasons: z.array(z.string()),
  workers: z.array(
    z.object({
      id: z.int().nonnegative(),
      utilization: measure,
      loopDelayP99Ms: measure,
      scheduleLagP99Ms: measure,
      lost: z.string().nullable(),
    }),
  ),
  // Results of earlier releases tell nothing of it.
  process: processSchema.nullable().default(null),
});
