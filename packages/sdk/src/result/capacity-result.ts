import * as z from "zod";

import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { unitSchema } from "./result-metrics.ts";
import { amount } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";
import { type TrialResult, trialSchema } from "./trial-result.ts";

const answers = [
  "found",
  /** The highest allowed load meets the objectives. */
  "met-at-highest",
  /** The lowest allowed load does not meet them. */
  "not-met-at-lowest",
  /** The generator could not apply more load. */
  "generator-limited",
  /** The time budget was spent before the capacity was known precisely enough. */
  "undecided",
] as const;

/** How a search for the capacity ended. */
export type CapacityAnswer = (typeof answers)[number];

const objectiveVerdicts = ["PASS", "FAIL", "UNDECIDED"] as const;

/** The verdict on an objective or on a load. UNDECIDED while the confidence interval contains the bound. */
export type ObjectiveVerdict = (typeof objectiveVerdicts)[number];

/** The figure of one objective, over all trials at one load so far. */
export interface ObjectiveReading {
  /** UNDECIDED while the interval from `low` to `high` contains the bound. */
  readonly verdict: ObjectiveVerdict;
  /** The share of violating requests (from 0 to 1), or the mean. */
  readonly value: number;
  /** The lower end of the 95 % confidence interval of `value`. */
  readonly low: number;
  /** The upper end of that interval. */
  readonly high: number;
}

const purposes = ["search", "confirmation"] as const;

/** One trial of the search. */
export interface CapacityTrial {
  /** A `confirmation` is a longer run at the estimate, or just below it. */
  readonly purpose: (typeof purposes)[number];
  /** The verdict on this load, from all trials at it so far. */
  readonly verdict: ObjectiveVerdict;
  /**
   * One for each objective; null if there were too few requests to judge. Empty if the load generator was
   * saturated.
   */
  readonly readings: readonly (ObjectiveReading | null)[];
  /** True if the load generator was saturated: the search then ignores the trial. */
  readonly isGeneratorLimited: boolean;
  /** The figures of the trial. */
  readonly figures: TrialResult;
}

const judgedFigures = ["share", "mean"] as const;

/** An objective as it was judged. */
export interface CapacityObjective {
  /** The objective as it was written: `http_req_response_time: p(99)<200ms`. */
  readonly text: string;
  /** The judged figure: the `share` of requests that violate the objective, or the `mean` of all requests. */
  readonly judges: (typeof judgedFigures)[number];
  /**
   * The greatest allowed share of violating requests, or the greatest allowed mean, in ms or in the gauge's
   * unit.
   */
  readonly bound: number;
  /** The unit of a monitored gauge; absent for times and shares. */
  readonly gaugeUnit?: MetricUnit;
  /** False for an objective that the search added to those of the user. */
  readonly isOwn: boolean;
}

const loadUnits = ["rate", "vus"] as const;

/** The highest load that meets the objectives, and the trials that it was derived from. */
export interface CapacityResult {
  /**
   * `found`: the interval from `low` to `high` contains the capacity. `met-at-highest` and
   * `not-met-at-lowest`: the capacity is outside of the allowed loads. `generator-limited`: this machine
   * reached its limit first. `undecided`: see the notes.
   */
  readonly answer: CapacityAnswer;
  /** The unit of the loads: iterations started per second, or virtual users. */
  readonly unit: (typeof loadUnits)[number];
  /**
   * The estimate from all trials; with `met-at-highest` and `not-met-at-lowest`, the highest or lowest load
   * that was tried. Null if there is none.
   */
  readonly load: number | null;
  /**
   * The load to rely on. With the answer `found`, the capacity is at least this, with 97.5 % confidence. With
   * any other answer, it is a load that passed. Null if none is known.
   */
  readonly low: number | null;
  /** The upper end of the interval: the capacity is hardly more. Null if unknown. */
  readonly high: number | null;
  /**
   * The verdict of the confirmation, a run at the estimate of that time, or just below it; null if there was
   * none.
   */
  readonly confirmed: ObjectiveVerdict | null;
  /**
   * The highest load that was shown to meet the objectives, below all that failed; null if there was none.
   */
  readonly passed?: number | null;
  /** True if the target first served a load, and served almost none of it at the end; absent otherwise. */
  readonly isTargetDown?: boolean;
  /** The cause that limits the target, in a sentence; null if no load violated an objective. */
  readonly limitedBy: string | null;
  /** The load of `--at-least`; null if the option was not given. */
  readonly atLeast: number | null;
  readonly objectives: readonly CapacityObjective[];
  /** The maximum time for all trials together. */
  readonly budgetMs: number;
  /** The time that all trials took together. */
  readonly spentMs: number;
  /** In the order in which they ran. */
  readonly trials: readonly CapacityTrial[];
}

const verdict = once(() => z.enum(objectiveVerdicts));

export const capacitySchema: () => z.ZodType<CapacityResult> = once(() =>
  z.object({
    answer: z.enum(answers),
    unit: z.enum(loadUnits),
    load: amount().nullable(),
    low: amount().nullable(),
    high: amount().nullable(),
    confirmed: verdict().nullable(),
    passed: amount().nullable().exactOptional(),
    isTargetDown: z.boolean().exactOptional(),
    limitedBy: z.string().nullable(),
    atLeast: amount().nullable(),
    objectives: z.array(
      z.object({
        text: z.string(),
        judges: z.enum(judgedFigures),
        bound: amount(),
        gaugeUnit: unitSchema().exactOptional(),
        isOwn: z.boolean(),
      }),
    ),
    budgetMs: amount(),
    spentMs: amount(),
    trials: z.array(
      z.object({
        purpose: z.enum(purposes),
        verdict: verdict(),
        readings: z.array(
          z.object({ verdict: verdict(), value: amount(), low: z.number(), high: z.number() }).nullable(),
        ),
        isGeneratorLimited: z.boolean(),
        figures: trialSchema(),
      }),
    ),
  }),
);
