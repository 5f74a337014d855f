import * as z from "zod";

import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { once } from "../validation/once.ts";
import { unitSchema } from "./result-metrics.ts";
import { type RunCurves, runCurvesSchema } from "./run-curves.ts";

const answers = ["regressed", "ok", "undecided"] as const;
const sideOrders = ["runs", "turns"] as const;
const changes = ["relative", "points"] as const;
const directions = ["higher", "lower"] as const;

/** The answer to "did it get worse?", of one figure or of all that decide. */
export type ComparisonAnswer = (typeof answers)[number];

/** How two results differ: the document of `bearhug compare`, `run --baseline` and `bearhug ab-test`. */
export interface ComparisonResult {
  readonly schema: "bearhug/comparison@1";
  readonly tool: { readonly name: string; readonly version: string };
  /** The name of the test. */
  readonly test: { readonly name: string };
  /** Regressed if any figure that decides did, ok if all are, else undecided. */
  readonly verdict: ComparisonAnswer;
  readonly exitCode: number;
  /** The verdict and the reasons for it, one sentence each. */
  readonly messages: readonly string[];
  /** Facts worth knowing that do not change the verdict, one sentence each. */
  readonly notes: readonly string[];
  /** `runs`: one after another. `turns`: both sides took turns in one run. */
  readonly sides: (typeof sideOrders)[number];
  /** The relative change for the worse that is accepted, such as 0.05. */
  readonly tolerance: number;
  /** The same for rates, such as `http_req_failed`: a difference of shares, 0.005 for half a percentage point. */
  readonly rateTolerance: number;
  /** How much two runs of the same thing are taken to differ; null where no side had a single run. */
  readonly runNoise: number | null;
  readonly base: ComparedSide;
  readonly new: ComparedSide;
  /** The figures that decide. */
  readonly figures: readonly ComparedFigure[];
  /** Further figures, which decide nothing: of so many, some look different by chance. */
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
  /** The file that it was read from; null for the run that just ended. */
  readonly file: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** Only of the last run of a side: how it went. Absent where both sides took turns in one run. */
  readonly curves?: RunCurves;
}

/** One figure of both sides. */
export interface ComparedFigure {
  /** With its tag filter, as a threshold's key. */
  readonly metric: string;
  /** As in thresholds: `p(95)`, `rate`. */
  readonly aggregation: string;
  /** The unit of `base` and `new`. Counts are compared per second. */
  readonly unit: MetricUnit;
  /** Relative: 0.1 for 10 % more. Points: the difference of two shares. */
  readonly change: (typeof changes)[number];
  /** The direction that is worse. */
  readonly worse: (typeof directions)[number];
  /** Null where a side has no sample. */
  readonly base: number | null;
  readonly new: number | null;
  /** From base to new; null where it cannot be computed. */
  readonly difference: number | null;
  /** The interval of `difference`; null where nothing says how much it varies. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Null for exploratory figures. */
  readonly answer: ComparisonAnswer | null;
  /** Present where the figure could not be judged: why, in one sentence. */
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
        durationMs: z.number().nonnegative(),
        requests: z.int().nonnegative(),
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
      tolerance: z.number().nonnegative(),
      rateTolerance: z.number().nonnegative(),
      runNoise: z.number().nonnegative().nullable(),
      base: sideSchema(),
      new: sideSchema(),
      figures: figuresSchema(),
      exploratory: figuresSchema(),
    })
    .meta({ title: "bearhug/comparison@1", description: "How two results of bearhug differ." }),
);
