import * as z from "zod";
import { processSchema } from "./result-process.ts";
import type { ProcessResult } from "./result-process.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The health of one worker. Its measurements are null if it was lost before it reported them. */
export interface WorkerResult {
  /** The number of the worker, from 0. */
  readonly id: number;
  /** The share of time that its event loop was busy, from 0 to 1. */
  readonly utilization: number | null;
  /**
   * The 95th percentile, over all moments of the run, of the time that an event had to wait for the event
   * loop.
   */
  readonly loopDelayP95Ms: number | null;
  /** The 99th percentile of the same. */
  readonly loopDelayP99Ms: number | null;
  /**
   * The 95th percentile of the delay with which it started iterations that were due; null if none was
   * scheduled.
   */
  readonly scheduleLagP95Ms: number | null;
  /** The 99th percentile of the same. */
  readonly scheduleLagP99Ms: number | null;
  readonly pauses: PausesResult | null;
  /** The reason why it was lost; null if it was not. */
  readonly lost: string | null;
}

/** Pauses of a worker's event loop: times of 20 ms or more in which it handled no event. */
export interface PausesResult {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
  /** The time of the longest pause, from the start of the measurement. */
  readonly longestAtMs: number;
}

/** A load shorter than this, in ms, is mostly start-up: the utilization of its generator means nothing. */
export const minJudgedMs = 2000;

const healths = ["healthy", "strained", "saturated"] as const;

/** The health of the load generator. A saturated generator measures itself, not the target. */
export interface GeneratorResult {
  readonly verdict: (typeof healths)[number];
  /** The reasons why it is not healthy, one sentence each; empty if it is. */
  readonly reasons: readonly string[];
  readonly workers: readonly WorkerResult[];
  /** Null if no load was applied. */
  readonly process: ProcessResult | null;
}

const measure = once(() => amount().nullable());

/** A measurement that results of earlier releases lack. */
const laterMeasure = once(() => measure().default(null));

export const pausesSchema: () => z.ZodType<PausesResult> = once(() =>
  z.object({
    count: count(),
    totalMs: amount(),
    longestMs: amount(),
    longestAtMs: amount(),
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
        id: count(),
        utilization: measure(),
        loopDelayP95Ms: laterMeasure(),
        loopDelayP99Ms: measure(),
        scheduleLagP95Ms: laterMeasure(),
        scheduleLagP99Ms: measure(),
        pauses: pausesSchema().nullable().default(null),
        lost: z.string().nullable(),
      }),
    ),
    // Results of earlier releases lack it.
    process: processSchema().nullable().default(null),
  }),
);
