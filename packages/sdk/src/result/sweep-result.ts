import * as z from "zod";

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
 * The end of a target's ladder: `complete` after its last load; `failures`, `throughput` or `rate` where the target was overloaded,
 * because too many operations failed, because throughput stayed well under its peak, or because the target fell behind the
 * rate; `generator` where the load generator was saturated; `error` where the test could not go on; `interrupted` where the
 * user ended the sweep; `unfinished` in a document that was written while the sweep still ran.
 */
export type SweepEnding = (typeof endings)[number];

const kneeStates = ["found", "at-lowest-load", "not-reached", "unknown"] as const;

/**
 * The load from which the target is saturated: more load adds waiting time, but hardly any throughput. `unknown` if no step shows it;
 * `load` is null unless the knee was `found`.
 */
export interface SweepKnee {
  readonly state: (typeof kneeStates)[number];
  readonly load: number | null;
}

/** The Universal Scalability Law, fitted to throughput X against measured concurrency N: X = λN / (1 + σ(N−1) + κN(N−1)). */
export interface ScalabilityFit {
  /** λ: operations per second with one under way at a time. */
  readonly lambda: number;
  /** σ, contention: the share of work that waits for its turn. */
  readonly sigma: number;
  /** κ, coherency: the cost of keeping those under way consistent with each other. */
  readonly kappa: number;
  /** The greatest throughput, and the concurrency that has it; null where no step lies beyond it. */
  readonly peak: { readonly concurrency: number; readonly rate: number } | null;
  /** How far the fit is off at the step that it fits worst, as a share of the measured throughput. */
  readonly worstError: number;
  /** How many steps it was fitted to. */
  readonly steps: number;
}

/** One target of a sweep, with the steps that were measured, from the least load to the greatest. */
export interface SweepTarget {
  readonly name: string;
  /** The address; null where the test's own is used. */
  readonly address: string | null;
  readonly steps: readonly TrialResult[];
  readonly ending: SweepEnding;
  readonly knee: SweepKnee;
  /** Null where too few steps can be fitted. */
  readonly scalability: ScalabilityFit | null;
  /** Present after a last step that failed nearly wholly: the lowest load that was served before, tried again at the end. */
  readonly retried?: TrialResult;
}

const loadUnits = ["vus", "connections", "rate"] as const;

/** A sweep: loads that rise step by step, each left to settle and then measured. */
export interface SweepResult {
  /** The unit of the loads; `rate` is iterations started per second. */
  readonly loadUnit: (typeof loadUnits)[number];
  /** The loads that were asked for. */
  readonly loads: readonly number[];
  readonly settleMs: number;
  readonly measureMs: number;
  /** Fingerprints of the settings that all steps share, by name. Only a sweep with the same ones can be resumed. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly targets: readonly SweepTarget[];
  /** The step that the rest of the document describes; null where no step was measured to its end. */
  readonly described: DescribedStep | null;
}

/** The step with the highest throughput of those that passed; of all where none did. */
export interface DescribedStep {
  readonly target: string;
  readonly load: number;
  /** As it would be for this step alone; the document's own also says how the sweep ended. */
  readonly exitCode: number;
  /** The reasons for that exit code. */
  readonly messages: readonly string[];
}

const amount = once(() => z.number().nonnegative());
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
