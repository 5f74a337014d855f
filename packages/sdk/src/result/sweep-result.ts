import * as z from "zod";

import { amount } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";
import { type TrialResult, trialSchema } from "./trial-result.ts";

const endings = [
  "complete",
  "failures",
  "throughput",
  "rate",
  "generator",
  "error",
  "interrupted",
  "unfinished",
] as const;

/**
 * The reason why a target's steps ended. `complete`: the last load was reached. `failures`, `throughput` or
 * `rate`: the target was overloaded, because too many operations failed, because throughput stayed well under
 * its peak, or because the target fell behind the rate. `generator`: the load generator was saturated.
 * `error`: the test could not continue. `interrupted`: the user stopped the sweep. `unfinished`: the document
 * was written while the sweep still ran.
 */
export type SweepEnding = (typeof endings)[number];

const kneeStates = ["found", "at-lowest-load", "not-reached", "unknown"] as const;

/**
 * The load from which the target is saturated: more load adds waiting time, but hardly any throughput.
 * `unknown` if the steps do not show it. `load` is null unless the knee was `found`.
 */
export interface SweepKnee {
  readonly state: (typeof kneeStates)[number];
  readonly load: number | null;
}

/** The Universal Scalability Law, fitted to throughput X against measured concurrency N: X = λN / (1 + σ(N−1) + κN(N−1)). */
export interface ScalabilityFit {
  /** λ: operations per second at a concurrency of 1. */
  readonly lambda: number;
  /** σ, contention: the share of work that cannot run concurrently. */
  readonly sigma: number;
  /** κ, coherency: the cost of keeping concurrent operations consistent with each other. */
  readonly kappa: number;
  /** The greatest throughput and its concurrency; null if no measured step is beyond it. */
  readonly peak: { readonly concurrency: number; readonly rate: number } | null;
  /** The error of the fit at the step that it fits worst, as a share of the measured throughput. */
  readonly worstError: number;
  /** The number of steps that it was fitted to. */
  readonly steps: number;
}

/** One target of a sweep, with its measured steps in ascending order of load. */
export interface SweepTarget {
  readonly name: string;
  /** The address; null if it is the test's own. */
  readonly address: string | null;
  readonly steps: readonly TrialResult[];
  readonly ending: SweepEnding;
  readonly knee: SweepKnee;
  /** Null if there are too few steps for a fit. */
  readonly scalability: ScalabilityFit | null;
  /**
   * A second trial, at the end, of the lowest load that the target had served; only if the last step
   * failed, by more than its thresholds.
   */
  readonly retried?: TrialResult;
}

const loadUnits = ["vus", "connections", "rate"] as const;

/** A sweep: loads that rise in steps. Each load settles for a while and is then measured. */
export interface SweepResult {
  /** The unit of the loads; `rate` is iterations started per second. */
  readonly loadUnit: (typeof loadUnits)[number];
  /** The requested loads. */
  readonly loads: readonly number[];
  /** The time before the measurement of each step. */
  readonly settleMs: number;
  /** The length of each step's measurement. */
  readonly measureMs: number;
  /**
   * Fingerprints of the settings that all steps share, by name. A sweep can be resumed with the same settings
   * only.
   */
  readonly conditions: Readonly<Record<string, string>>;
  readonly targets: readonly SweepTarget[];
  /** The step that the rest of the document describes; null if no step was measured to its end. */
  readonly described: DescribedStep | null;
}

/** The passed step with the highest throughput; if none passed, the step with the highest throughput. */
export interface DescribedStep {
  readonly target: string;
  readonly load: number;
  /** The exit code of this step alone. The document's `exitCode` also depends on the end of the sweep. */
  readonly exitCode: number;
  /** The reasons for that exit code. */
  readonly messages: readonly string[];
}

const positive = once(() => z.number().positive());

export const sweepSchema: () => z.ZodType<SweepResult> = once(() =>
  z.object({
    loadUnit: z.enum(loadUnits),
    loads: z.array(positive()),
    settleMs: amount(),
    measureMs: positive(),
    conditions: z.record(z.string(), z.string()).default({}),
    targets: z.array(
      z.object({
        name: z.string(),
        address: z.string().nullable(),
        steps: z.array(trialSchema()),
        ending: z.enum(endings),
        knee: z.object({
          state: z.enum(kneeStates),
          load: positive().nullable(),
        }),
        scalability: z
          .object({
            lambda: positive(),
            sigma: amount(),
            kappa: amount(),
            peak: z.object({ concurrency: positive(), rate: positive() }).nullable(),
            worstError: amount(),
            steps: z.int().positive(),
          })
          .nullable(),
        retried: trialSchema().exactOptional(),
      }),
    ),
    described: z
      .object({
        target: z.string(),
        load: positive(),
        exitCode: z.int().min(0).max(255),
        messages: z.array(z.string()),
      })
      .nullable(),
  }),
);
