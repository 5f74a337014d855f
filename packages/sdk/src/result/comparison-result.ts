import * as z from "zod";

import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";
import { unitSchema } from "./result-metrics.ts";
import { type RunCurves, runCurvesSchema } from "./run-curves.ts";

const answers = ["regressed", "ok", "undecided"] as const;
const sideOrders = ["runs", "turns"] as const;
const changes = ["relative", "points"] as const;
const directions = ["higher", "lower"] as const;

/** The answer to "did it get worse?", for one figure or for all figures that decide. */
export type ComparisonAnswer = (typeof answers)[number];

/** How two results differ: the document of `bearhug compare`, `run --baseline` and `bearhug ab-test`. */
export interface ComparisonResult {
  readonly schema: "bearhug/comparison@1";
  readonly tool: { readonly name: string; readonly version: string };
  readonly test: { readonly name: string };
  /** `regressed` if a figure that decides did, `ok` if all such figures are, else `undecided`. */
  readonly verdict: ComparisonAnswer;
  readonly exitCode: number;
  /** The verdict and the reasons for it, one sentence each. */
  readonly messages: readonly string[];
  /** Facts worth knowing that do not change the verdict, one sentence each. */
  readonly notes: readonly string[];
  /** `runs`: the sides are separate runs. `turns`: both sides took turns in one run. */
  readonly sides: (typeof sideOrders)[number];
  /** The accepted relative change for the worse, such as 0.05 for 5 %. */
  readonly tolerance: number;
  /**
   * The accepted change of rates, such as `http_req_failed`: a difference of shares, 0.005 for half a
   * percentage point.
   */
  readonly rateTolerance: number;
  /**
   * The assumed relative difference between two runs of the same system; null unless a side had a single run.
   */
  readonly runNoise: number | null;
  readonly base: ComparedSide;
  readonly new: ComparedSide;
  /** The figures that decide. */
  readonly figures: readonly ComparedFigure[];
  /** Further figures, which do not affect the verdict: among so many, some differ by chance. */
  readonly exploratory: readonly ComparedFigure[];
}

/** One side of a comparison. */
export interface ComparedSide {
  /** The target's address; null for a test without one. */
  readonly target: string | null;
  readonly runs: readonly ComparedRun[];
}

/** One run of a side. */
export interface ComparedRun {
  /** The file of its result; null for the run that just ended. */
  readonly file: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /**
   * The course of the run over time, for charts: of a side's last run only, and absent if both sides took
   * turns in one run.
   */
  readonly curves?: RunCurves;
}

/** One figure of both sides. */
export interface ComparedFigure {
  /** The metric with its tag filter, as in the key of a threshold. */
  readonly metric: string;
  /** The aggregation, as in thresholds: `p(95)`, `rate`. */
  readonly aggregation: string;
  /** The unit of `base` and `new`. Counts are compared per second. */
  readonly unit: MetricUnit;
  /** The meaning of `difference`. `relative`: 0.1 for 10 % more. `points`: the difference of two shares. */
  readonly change: (typeof changes)[number];
  /** The direction that is worse. */
  readonly worse: (typeof directions)[number];
  /** The base's value; null if it has no sample. */
  readonly base: number | null;
  /** The value of the new side; null if it has no sample. */
  readonly new: number | null;
  /** The change from `base` to `new`; null if it cannot be computed. */
  readonly difference: number | null;
  /** The confidence interval of `difference`; null if its variation is unknown. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Null for exploratory figures. */
  readonly answer: ComparisonAnswer | null;
  /** The reason why the figure could not be judged, in one sentence; absent if it was judged. */
  readonly reason?: string;
}

const answerSchema = once(() => z.enum(answers));

const sideSchema = once(() =>
  z.object({
    target: z.string().nullable(),
    runs: z.array(
      z.object({
        file: z.string().nullable(),
        startedAt: z.iso.datetime(),
        durationMs: amount(),
        requests: count(),
        curves: runCurvesSchema().exactOptional(),
      }),
    ),
  }),
);

const figuresSchema = once(() =>
  z.array(
    z.object({
      metric: z.string(),
      aggregation: z.string(),
      unit: unitSchema(),
      change: z.enum(changes),
      worse: z.enum(directions),
      base: z.number().nullable(),
      new: z.number().nullable(),
      difference: z.number().nullable(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
      answer: answerSchema().nullable(),
      reason: z.string().exactOptional(),
    }),
  ),
);

/** Reads a comparison; published as `comparison.schema.json`. */
export const comparisonSchema: () => z.ZodType<ComparisonResult> = once(() =>
  z
    .object({
      schema: z.literal("bearhug/comparison@1"),
      tool: z.object({ name: z.string(), version: z.string() }),
      test: z.object({ name: z.string() }),
      verdict: answerSchema(),
      exitCode: z.int().min(0).max(255),
      messages: z.array(z.string()),
      notes: z.array(z.string()),
      sides: z.enum(sideOrders),
      tolerance: amount(),
      rateTolerance: amount(),
      runNoise: amount().nullable(),
      base: sideSchema(),
      new: sideSchema(),
      figures: figuresSchema(),
      exploratory: figuresSchema(),
    })
    .meta({ title: "bearhug/comparison@1", description: "How two results of bearhug differ." }),
);
