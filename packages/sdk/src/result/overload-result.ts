import * as z from "zod";

import { once } from "../validation/once.ts";

const kinds = ["holds", "sheds", "queues", "collapses", "unclear"] as const;
const phaseNames = ["base", "past", "recovery"] as const;

/** How a target behaves past its rate; `unclear` if the figures do not show it. */
export type OverloadKind = (typeof kinds)[number];

/** One of the three phases of a run with `--overload`. Rates are requests per second. */
export interface OverloadPhase {
  readonly name: (typeof phaseNames)[number];
  /** From the start of the measured load. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The requests that were due. */
  readonly offered: number;
  /** The requests that succeeded. */
  readonly goodput: number;
  /** The requests that failed. */
  readonly failed: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /** The median of the intervals' p95, in ms; null where no request succeeded. */
  readonly p95: number | null;
  /** Connections that opened and carried a request. */
  readonly connectionsOpened: number;
  /** Null where no iteration ended. */
  readonly requestsPerIteration: number | null;
}

/** A stretch of a run with `--overload`, a second or longer. Rates are requests per second. */
export interface OverloadInterval {
  /** From the start of the measured load. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The requests that succeeded. */
  readonly goodput: number;
  /** The requests that failed. */
  readonly failed: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /** The 95th percentile of successful requests' response times in ms, assuming that failed requests were the fastest; null without any. */
  readonly p95: number | null;
}

/** How a target came back after the load fell to the base rate. */
export interface OverloadRecovery {
  /** From the fall of the load until the target was back within the spread of the base phase; null where it did not come back. */
  readonly afterMs: number | null;
  /** The width of the intervals, which `afterMs` is a multiple of. */
  readonly resolutionMs: number;
  /** The least goodput of that spread. */
  readonly leastGoodput: number;
  /** The greatest p95 of that spread, in ms. */
  readonly mostP95: number;
}

/** How the target took a load past its rate. */
export interface OverloadResult {
  readonly kind: OverloadKind;
  /** The figures that say so, in a sentence. */
  readonly because: string;
  /** The rate of the base phase, in iterations per second. */
  readonly rate: number;
  /** The load past it, as a multiple of the rate. */
  readonly factor: number;
  readonly phases: readonly OverloadPhase[];
  /** The whole intervals of the run, from which all figures come. */
  readonly intervals: readonly OverloadInterval[];
  /** The highest goodput that lasted for three intervals, until the load fell. */
  readonly peakGoodput: number;
  /** Null where the run ended before the load fell. */
  readonly recovery: OverloadRecovery | null;
}

const amount = once(() => z.number().nonnegative());

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
