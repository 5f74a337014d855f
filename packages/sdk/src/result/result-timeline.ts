import * as z from "zod";
import { censoredSchema } from "./result-metrics.ts";
import type { CensoredSamples } from "./result-metrics.ts";
import { sourcePositionSchema } from "./source-position.ts";
import type { SourcePosition } from "./source-position.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** The counts and measurements of one interval of the test. */
export interface IntervalResult extends IntervalTimes {
  /** The end of the interval, from the start of the load. */
  readonly atMs: number;
  readonly widthMs: number;
  /** Virtual users at work at the end of the interval. */
  readonly vus: number;
  /** Requests that ended, with a response or a failure. */
  readonly http_reqs: number;
  /** The part of `http_reqs` that failed. */
  readonly http_reqs_failed: number;
  /** Iterations that ended. */
  readonly iterations: number;
  /** Iterations that were due, but never started. */
  readonly dropped: number;
  /** Bytes received. */
  readonly bytes: number;
  /** Connections that opened and carried a request; absent if there were none. */
  readonly connections_opened?: number;
  /** Operations of clients other than HTTP, by the client's name; absent if there are none. */
  readonly clients?: Readonly<Record<string, ClientInterval>>;
}

/** The times that operations took. */
interface IntervalTimes {
  /** The compact histogram of durations, such as `http_req_duration`; null if there was no sample. */
  readonly duration: string | null;
  /**
   * The compact histogram of response times, such as `http_req_response_time`; null if there was no sample.
   */
  readonly responseTime: string | null;
  /** Samples of `duration` that are only lower bounds; absent if there are none. */
  readonly durationCensored?: CensoredSamples;
  /** Samples of `responseTime` that are only lower bounds; absent if there are none. */
  readonly responseTimeCensored?: CensoredSamples;
}

/** The counts and measurements of one kind of client in one interval of the test. */
export interface ClientInterval extends IntervalTimes {
  readonly operations: number;
  /** The part of `operations` that failed. */
  readonly failed: number;
}

/** Failures of one kind: of requests, or of the test's own code. */
export interface ErrorResult {
  readonly code: string;
  /** The operating system's error code, such as `ECONNREFUSED`; null if there is none. */
  readonly cause: string | null;
  readonly message: string;
  readonly count: number;
  /** The time of the first failure, from the start of the load. */
  readonly firstAtMs: number;
  /** The name of the request; for an error of the test's own code, the scenario. */
  readonly name: string;
  /** Scheme, host and port of the first such request; absent for an error of the test's own code. */
  readonly origin?: string;
  /** The place in the test that threw; absent or null if there is none. */
  readonly source?: SourcePosition | null;
  /** The lines of source around it. */
  readonly frame?: string | null;
}

const times = once(() => ({
  duration: z.string().nullable(),
  responseTime: z.string().nullable(),
  durationCensored: censoredSchema().exactOptional(),
  responseTimeCensored: censoredSchema().exactOptional(),
}));

export const intervalSchema: () => z.ZodType<IntervalResult> = once(() =>
  z.object({
    atMs: amount(),
    widthMs: z.number().positive(),
    vus: count(),
    http_reqs: count(),
    http_reqs_failed: count(),
    iterations: count(),
    dropped: count(),
    bytes: count(),
    connections_opened: count().exactOptional(),
    ...times(),
    clients: z
      .record(z.string(), z.object({ operations: count(), failed: count(), ...times() }))
      .exactOptional(),
  }),
);

export const errorSchema: () => z.ZodType<ErrorResult> = once(() =>
  z.object({
    code: z.string(),
    cause: z.string().nullable(),
    message: z.string(),
    count: count(),
    firstAtMs: amount(),
    name: z.string(),
    origin: z.string().exactOptional(),
    source: sourcePositionSchema().nullable().exactOptional(),
    frame: z.string().nullable().exactOptional(),
  }),
);
