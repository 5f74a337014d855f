import * as z from "zod";

import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The figures of a variant, in the order of its table. */
export const variantFigures = [
  "wireBytes",
  "decodedBytes",
  "requestsPerSecond",
  "bytesPerSecond",
  "p50",
  "p90",
  "p99",
  "failed",
] as const;

/** The name of a figure of a variant. */
export type VariantFigureName = (typeof variantFigures)[number];

/**
 * The figures by which variants are compared. The others follow from these, or from the variant's content
 * alone.
 */
export const comparedFigures = ["wireBytes", "requestsPerSecond", "p50", "p90", "p99", "failed"] as const;

/** The name of a figure by which variants are compared. */
export type ComparedFigureName = (typeof comparedFigures)[number];

/** The variants of a run, which took turns, and their differences. */
export interface VariantsResult {
  /** The length of a turn. */
  readonly turnMs: number;
  /**
   * The beginning of each turn that is not compared, because iterations of the previous turn may still run.
   */
  readonly changeoverMs: number;
  /** The number of completed blocks. In a block, each variant has one turn, in random order. */
  readonly blocks: number;
  /** The number of stretches that are compared with each other; each has one or several blocks. */
  readonly stretches: number;
  /** With fewer stretches than this, no difference can be distinguished from chance. */
  readonly leastStretches: number;
  /** The p95 of iterations, if it is longer than a changeover: variants overlapped, and their differences are understated. */
  readonly longIterationMs: number | null;
  /** The variants in the given order. All others are compared with the first. */
  readonly variants: readonly VariantResult[];
}

/** One variant: its requests in completed blocks, without changeovers. */
export interface VariantResult {
  readonly name: string;
  readonly requests: number;
  /** The part of `requests` that failed. */
  readonly failures: number;
  /**
   * `wireBytes` and `decodedBytes`: average size of a response body. `requestsPerSecond`: the rate that the
   * variant would have with all the time to itself. `bytesPerSecond`: bytes received at that rate, heads
   * included. `p50`, `p90`, `p99`: response times in ms. `failed`: a share, from 0 to 1.
   */
  readonly figures: Readonly<Record<VariantFigureName, VariantFigure>>;
  /** The differences from the first variant; null for the first itself. */
  readonly differences: Readonly<Record<ComparedFigureName, VariantDifference>> | null;
  /** The compact histogram of response times; null without samples. */
  readonly histogram: string | null;
  /** A time in which the variant was down; absent if it never was for a second or longer. */
  readonly outage?: VariantOutage;
}

const outageKinds = ["failed", "unanswered"] as const;

/** A time in which a variant was down, from the start of the measured load. */
export interface VariantOutage {
  /**
   * `failed`: all requests of consecutive turns failed. `unanswered`: requests waited until the run ended.
   */
  readonly kind: (typeof outageKinds)[number];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A figure of a variant. */
export interface VariantFigure {
  /** Null if nothing was measured. */
  readonly value: number | null;
  /** The 95 % confidence interval; null for fewer than 5 stretches. */
  readonly interval: readonly [low: number, high: number] | null;
  /** True for a percentile that is only a lower bound, because requests were cut off. */
  readonly isLowerBound: boolean;
}

/** The difference between a variant's figure and the first variant's. */
export interface VariantDifference {
  /**
   * The change as a share of the first variant's figure: 0.1 for 10 % more. For `failed`, the difference of
   * the two shares.
   */
  readonly change: number | null;
  /** The 95 % confidence interval; null for fewer than 6 stretches. */
  readonly interval: readonly [low: number, high: number] | null;
  /**
   * True if the difference is significant: with equal variants, at most 1 of 20 runs has such a difference
   * anywhere in its table.
   */
  readonly isReal: boolean;
}

export const variantsSchema: () => z.ZodType<VariantsResult> = once(() => {
  const interval = z.tuple([z.number(), z.number()]).nullable();
  const figure: z.ZodType<VariantFigure> = z.object({
    value: amount().nullable(),
    interval,
    isLowerBound: z.boolean(),
  });
  const difference: z.ZodType<VariantDifference> = z.object({
    change: z.number().nullable(),
    interval,
    isReal: z.boolean(),
  });
  return z.object({
    turnMs: z.number().positive(),
    changeoverMs: amount(),
    blocks: count(),
    stretches: count(),
    leastStretches: count(),
    longIterationMs: z.number().nullable(),
    variants: z.array(
      z.object({
        name: z.string(),
        requests: count(),
        failures: count(),
        figures: z.record(z.enum(variantFigures), figure),
        differences: z.record(z.enum(comparedFigures), difference).nullable(),
        histogram: z.string().nullable(),
        outage: z
          .object({
            kind: z.enum(outageKinds),
            fromMs: amount(),
            untilMs: amount(),
          })
          .exactOptional(),
      }),
    ),
  });
});
