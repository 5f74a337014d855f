import * as z from "zod";
import { once } from "../validation/once.ts";

/** Exact counts of iterations: `scheduled = started + dropped`, `started = completed + failed + interrupted + lost`. */
export interface IterationAccounting {
  /** Due by the load model. */
  readonly scheduled: number;
  readonly started: number;
  /** Ended by themselves. */
  readonly completed: number;
  /** Threw. */
  readonly failed: number;
  /** Still running at the hard stop. */
  readonly interrupted: number;
  /** Due, but never started. */
  readonly dropped: number;
  /** Started by a worker that was lost before it reported how they ended. */
  readonly lost: number;
}

/** Exact counts of the requests of one name: `started = succeeded + failed + interrupted + lost`. */
export interface RequestAccounting {
  readonly name: string;
  /** The client that sent them, such as `tcp`; absent for HTTP. */
  readonly client?: string;
  readonly started: number;
  /** Whose head was written to the socket. */
  readonly sent: number;
  /** Answered with an expected status. */
  readonly succeeded: number;
  /** Not answered, or with another status. */
  readonly failed: number;
  /** Still under way at the hard stop. */
  readonly interrupted: number;
  /** Started by a worker that was lost before it reported how they ended. */
  readonly lost: number;
}

/** Requests outside of the load, accounted apart. */
export interface PhaseAccounting {
  readonly requests: readonly RequestAccounting[];
}

/** The load before it was measured, accounted apart. */
export interface WarmupAccounting {
  readonly iterations: IterationAccounting;
  /** By name. */
  readonly requests: readonly RequestAccounting[];
}

/** Exact counts; they balance whatever went wrong. */
export interface Accounting {
  readonly iterations: IterationAccounting;
  /** Requests of the load, by name. */
  readonly requests: readonly RequestAccounting[];
  readonly setup: PhaseAccounting;
  readonly teardown: PhaseAccounting;
  /** Requests of what made the states of virtual users; absent for a test without `vuState`. */
  readonly vuState?: PhaseAccounting;
  /** Null without a warm-up. */
  readonly warmup: WarmupAccounting | null;
}

const count = once(() => z.int().nonnegative());

const iterationsSchema = once(() =>
  z.object({
    scheduled: count(),
    started: count(),
    completed: count(),
    failed: count(),
    interrupted: count(),
    dropped: count(),
    lost: count(),
  }),
);

const requestsSchema = once(() =>
  z.array(
    z.object({
      name: z.string(),
      client: z.string().exactOptional(),
      started: count(),
      sent: count(),
      succeeded: count(),
      failed: count(),
      interrupted: count(),
      lost: count(),
    }),
  ),
);

const phaseSchema = once(() => z.object({ requests: requestsSchema() }));

export const accountingSchema: () => z.ZodType<Accounting> = once(() =>
  z.object({
    iterations: iterationsSchema(),
    requests: requestsSchema(),
    setup: phaseSchema(),
    teardown: phaseSchema(),
    vuState: phaseSchema().exactOptional(),
    warmup: z.object({ iterations: iterationsSchema(), requests: requestsSchema() }).nullable(),
  }),
);
