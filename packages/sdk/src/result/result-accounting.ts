import * as z from "zod";
import { count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** Exact counts of iterations: `scheduled = started + dropped`, `started = completed + failed + interrupted + lost`. */
export interface IterationAccounting {
  /** Iterations that were due, by the load model. */
  readonly scheduled: number;
  readonly started: number;
  /** Ended by themselves, without throwing. */
  readonly completed: number;
  /** Threw, or had a request that was never answered. */
  readonly failed: number;
  /** Still running at the hard stop. */
  readonly interrupted: number;
  /** Due, but never started. */
  readonly dropped: number;
  /** Started by a worker that died before it reported the outcome. */
  readonly lost: number;
}

/** Exact counts of the requests of one name: `started = succeeded + failed + interrupted + lost`. */
export interface RequestAccounting {
  readonly name: string;
  /** The client that sent them, such as `tcp`; absent for HTTP. */
  readonly client?: string;
  readonly started: number;
  /** Requests whose head was written to the socket. */
  readonly sent: number;
  /** Got a response with an expected status. */
  readonly succeeded: number;
  /** Got no response, or one with an unexpected status. */
  readonly failed: number;
  /** Still in flight at the hard stop. */
  readonly interrupted: number;
  /** Started by a worker that died before it reported the outcome. */
  readonly lost: number;
}

/** Requests of one name that count as successful, with something odd in common. */
export interface OddRequests {
  /** Such as `ERROR_PAGE`. */
  readonly code: string;
  readonly name: string;
  /** The message of the first one. */
  readonly message: string;
  readonly count: number;
}

/** Requests outside of the load, which are accounted separately. */
export interface PhaseAccounting {
  /** Requests by name. */
  readonly requests: readonly RequestAccounting[];
  /** Absent for none. */
  readonly oddities?: readonly OddRequests[];
}

/** The warm-up: load that was not measured, which is accounted separately. */
export interface WarmupAccounting {
  readonly iterations: IterationAccounting;
  /** Requests by name. */
  readonly requests: readonly RequestAccounting[];
}

/** Exact counts. They balance even if a worker died or the run was stopped. */
export interface Accounting {
  readonly iterations: IterationAccounting;
  /** Requests of the load, by name. */
  readonly requests: readonly RequestAccounting[];
  readonly setup: PhaseAccounting;
  readonly teardown: PhaseAccounting;
  /** Requests of the test's `vuState`; absent for a test without one. */
  readonly vuState?: PhaseAccounting;
  /** Null without a warm-up. */
  readonly warmup: WarmupAccounting | null;
}

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

const odditiesSchema = once(() =>
  z.array(z.object({ code: z.string(), name: z.string(), message: z.string(), count: count() })),
);

const phaseSchema = once(() =>
  z.object({ requests: requestsSchema(), oddities: odditiesSchema().exactOptional() }),
);

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
