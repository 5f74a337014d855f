import * as z from "zod";
import { processSchema } from "./result-process.ts";
import type { ProcessResult } from "./result-process.ts";
import { once } from "../validation/once.ts";

/** How one worker fared. Its measures are null where it was lost before it reported them. */
export interface WorkerResult {
  /** Counts from 0. */
  readonly id: number;
  /** The share of time that its event loop was busy, from 0 to 1. */
  readonly utilization: number | null;
  /** How long what happened at a moment of the run had to wait until the worker looked: a percentile of all moments. */
  readonly loopDelayP95Ms: number | null;
  readonly loopDelayP99Ms: number | null;
  /** Percentiles of how late it started what was due; null where nothing was scheduled, too. */
  readonly scheduleLagP95Ms: number | null;
  readonly scheduleLagP99Ms: number | null;
  readonly pauses: PausesResult | null;
  /** Why it was lost; null where it was not. */
  readonly lost: string | null;
}

/** Times of 20 ms or more in which a worker did not look at what happened. */
export interface PausesResult {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
  /** From the start of what was measured. */
  readonly longestAtMs: number;
}

/** A load shorter than this, in ms, is mostly start-up: how busy its generator was says nothing. */
export const leastJudgedMs = 2000;

const healths = ["healthy", "strained", "saturated"] as const;

/** The health of the load generator. A saturated one measures itself, not the target. */
export interface GeneratorResult {
  readonly verdict: (typeof healths)[number];
  /** Why it is not healthy. */
  readonly reasons: readonly string[];
  readonly workers: readonly WorkerResult[];
  /** Null where no load was applied. */
  readonly process: ProcessResult | null;
}

const measure = once(() => z.number().nonnegative().nullable());

/** Absent in results that were written before it was measured. */
const laterMeasure = once(() => measure().default(null));

export const pausesSchema: () => z.ZodType<PausesResult> = once(() =>
  z.object({
    count: z.int().nonnegative(),
    totalMs: z.number().nonnegative(),
    longestMs: z.number().nonnegative(),
    longestAtMs: z.number().nonnegative(),
  }),
);

export const generatorVerdictSchema: () => z.ZodType<GeneratorResult["verdict"]> = once(() =>
  z.enum(healths),
);

export const generatorSchema: () => z.ZodType<GeneratorResult> = once(() =>
  z.object({
    verdict: generatorVerdictSchema(),
    reasons: z.array(z.string()),
    workers: z.array(
      z.object({
        id: z.int().nonnegative(),
        utilization: measure(),
        loopDelayP95Ms: laterMeasure(),
        loopDelayP99Ms: measure(),
        scheduleLagP95Ms: laterMeasure(),
        scheduleLagP99Ms: measure(),
        pauses: pausesSchema().nullable().default(null),
        lost: z.string().nullable(),
      }),
    ),
    // Absent in results that were written before it was measured.
    process: processSchema().nullable().default(null),
  }),
);
