import * as z from "zod";

import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { unitSchema } from "./result-metrics.ts";
import { once } from "../validation/once.ts";
import { type TrialResult, trialSchema } from "./trial-result.ts";

const answers = [
  "found",
  /** The highest load that was allowed meets the objectives. */
  "met-at-highest",
  /** The lowest load that was allowed does not. */
  "not-met-at-lowest",
  /** The generator could not apply more load. */
  "generator-limited",
  /** The budget was spent before the capacity was known well enough. */
  "undecided",
] as const;

/** How a search for the capacity ended. */
export type CapacityAnswer = (typeof answers)[number];

const objectiveVerdicts = ["PASS", "FAIL", "UNDECIDED"] as const;

/** The verdict on an objective, or on a load: UNDECIDED while its interval contains the bound. */
export type ObjectiveVerdict = (typeof objectiveVerdicts)[number];

/** The figure of one objective, over all trials at one load so far. */
export interface ObjectiveReading {
  /** UNDECIDED while the interval contains the bound. */
  readonly verdict: ObjectiveVerdict;
  /** The share of violating requests, or the mean. */
  readonly value: number;
  /** The lower end of its 95 % interval. */
  readonly low: number;
  /** The upper end. */
  readonly high: number;
}

const purposes = ["search", "confirmation"] as const;

/** One trial of the search. */
export interface CapacityTrial {
  /** A confirmation is a longer run at the estimate, or just below it. */
  readonly purpose: (typeof purposes)[number];
  /** Over all trials at this load so far. */
  readonly verdict: ObjectiveVerdict;
  /** For each objective; null where there were too few requests to judge. None if the load generator was saturated. */
  readonly readings: readonly (ObjectiveReading | null)[];
  /** True if the load generator was saturated: the trial is no bound of the search. */
  readonly isGeneratorLimited: boolean;
  readonly figures: TrialResult;
}

const judgedFigures = ["share", "mean"] as const;

/** An objective as it was judged. */
export interface CapacityObjective {
  /** As it was written: `http_req_response_time: p(99)<200ms`. */
  readonly text: string;
  /** The share of requests that violate it, or the mean of all. */
  readonly judges: (typeof judgedFigures)[number];
  /** The allowed share of violating requests, or the greatest mean, in ms or in the gauge's unit. */
  readonly bound: number;
  /** The unit of a monitored gauge; absent for times and shares. */
  readonly gaugeUnit?: MetricUnit;
  /** False for an objective that the search adds. */
  readonly isOwn: boolean;
}

const loadUnits = ["rate", "vus"] as const;

/** The highest load that meets the objectives, and every trial that says so. */
export interface CapacityResult {
  /**
   * `found`: an interval that holds the capacity. `met-at-highest` and `not-met-at-lowest`: it lies outside of the loads that were
   * allowed. `generator-limited`: this machine gave out first. `undecided`: the notes say why.
   */
  readonly answer: CapacityAnswer;
  /** The unit of the loads: iterations started per second, or virtual users. */
  readonly unit: (typeof loadUnits)[number];
  /** The estimate from all trials, or the highest or lowest load tried where the answer is about that; null where there is none. */
  readonly load: number | null;
  /**
   * The load to rely on: with the answer `found`, the capacity is no less with 97.5 % confidence; with another one, it is a load
   * that passed. Null where none is known.
   */
  readonly low: number | null;
  /** The capacity is hardly more. Null where that is not known. */
  readonly high: number | null;
  /** The verdict of the confirmation, a run at the estimate of that time, or just below it; null where there was none. */
  readonly confirmed: ObjectiveVerdict | null;
  /** The highest load that was shown to meet the objectives, below all that failed; null where none was. */
  readonly passed?: number | null;
  /** True if the target served a load before, and nearly nothing of it at the end; absent otherwise. */
  readonly isTargetDown?: boolean;
  /** The cause that limits the target, in a sentence; null where no load violated an objective. */
  readonly limitedBy: string | null;
  /** The load of `--at-least`; null where none was given. */
  readonly atLeast: number | null;
  readonly objectives: readonly CapacityObjective[];
  /** The longest time for all trials. */
  readonly budgetMs: number;
  /** The time that they took. */
  readonly spentMs: number;
  /** In the order in which they ran. */
  readonly trials: readonly CapacityTrial[];
}

const amount = once(() => z.number().nonnegative());
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
