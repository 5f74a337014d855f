import * as z from "zod";

import { amount } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

const kinds = ["holds", "sheds", "queues", "collapses", "unclear"] as const;
const phaseNames = ["base", "past", "recovery"] as const;

/**
 * The behaviour of a target under a load beyond its rate: it `holds` the load, `sheds` a part of it, `queues`
 * it, or its goodput `collapses`. `unclear` if the figures do not show it.
 */
export type OverloadKind = (typeof kinds)[number];

/** One of the three phases of a run with `--overload`. Rates are requests per second. */
export interface OverloadPhase {
  readonly name: (typeof phaseNames)[number];
  /** The start of the phase, from the start of the measured load. */
  readonly fromMs: number;
  /** The end of the phase, from the start of the measured load. */
  readonly toMs: number;
  /** The requests that were due. */
  readonly offered: number;
  /** The requests that succeeded. */
  readonly goodput: number;
  /** The requests that failed. */
  readonly failed: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /** The median of the intervals' p95, in ms; null if no request succeeded. */
  readonly p95: number | null;
  /** Connections that opened and carried a request. */
  readonly connectionsOpened: number;
  /** The mean number of requests of an iteration; null if no iteration ended. */
  readonly requestsPerIteration: number | null;
}

/** An interval of a run with `--overload`, one second or longer. Rates are requests per second. */
export interface OverloadInterval {
  /** The start of the interval, from the start of the measured load. */
  readonly fromMs: number;
  /** The end of the interval, from the start of the measured load. */
  readonly toMs: number;
  /** The requests that succeeded. */
  readonly goodput: number;
  /** The requests that failed. */
  readonly failed: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /**
   * The 95th percentile of successful requests' response times in ms, assuming that failed requests were the
   * fastest; null if no request succeeded.
   */
  readonly p95: number | null;
}

/** The recovery of a target after the load fell to the base rate. */
export interface OverloadRecovery {
  /**
   * From the fall of the load until the target was back in the range of the base phase; null if it did not
   * recover.
   */
  readonly afterMs: number | null;
  /** The width of the intervals; `afterMs` is a multiple of it. */
  readonly resolutionMs: number;
  /** The least goodput of that range. */
  readonly leastGoodput: number;
  /** The greatest p95 of that range, in ms. */
  readonly mostP95: number;
}

/** The behaviour of the target under a load beyond its rate. */
export interface OverloadResult {
  readonly kind: OverloadKind;
  /** The figures that show `kind`, in a sentence. */
  readonly because: string;
  /** The rate of the base phase, in iterations per second. */
  readonly rate: number;
  /** The load of the phase `past`, as a multiple of `rate`. */
  readonly factor: number;
  readonly phases: readonly OverloadPhase[];
  /** The complete intervals of the run, from which all figures are computed. */
  readonly intervals: readonly OverloadInterval[];
  /** The highest goodput that lasted for three intervals before the load fell. */
  readonly peakGoodput: number;
  /** Null if the run ended before the load fell. */
  readonly recovery: OverloadRecovery | null;
}

export const overloadSchema: () => z.ZodType<OverloadResult> = once(() =>
  z.object({
    kind: z.enum(kinds),
    because: z.string(),
    rate: amount(),
    factor: amount(),
    phases: z.array(
      z.object({
        name: z.enum(phaseNames),
        fromMs: amount(),
        toMs: amount(),
        offered: amount(),
        goodput: amount(),
        failed: amount(),
        dropped: amount(),
        p95: amount().nullable(),
        connectionsOpened: amount(),
        requestsPerIteration: amount().nullable(),
      }),
    ),
    intervals: z.array(
      z.object({
        fromMs: amount(),
        toMs: amount(),
        goodput: amount(),
        failed: amount(),
        dropped: amount(),
        p95: amount().nullable(),
      }),
    ),
    peakGoodput: amount(),
    recovery: z
      .object({
        afterMs: amount().nullable(),
        resolutionMs: amount(),
        leastGoodput: amount(),
        mostP95: amount(),
      })
      .nullable(),
  }),
);
