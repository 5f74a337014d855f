import * as z from "zod";

import { eachPhase, type Timings } from "../http/timings.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";
import type { IntervalSnapshot, RunDescription } from "./reporter.ts";
import { generatorVerdictSchema } from "./result-generator.ts";
import { unitSchema } from "./result-metrics.ts";
import { planSchema, testSchema, type TestResult, verdictSchema } from "./result.ts";

/** One line of the file that `--out ndjson=FILE` writes during a run. */
export type NdjsonLine = RunLine | IntervalLine | SampleLine | EndLine;

interface Timed {
  /** Milliseconds since 1970-01-01 (UTC). */
  readonly time: number;
}

/** The first line, which describes the run. */
export interface RunLine extends RunDescription, Timed {
  readonly type: "run";
  readonly schema: "bearhug/ndjson@1";
}

/** One second of the run; `time` is its end. */
export interface IntervalLine extends Omit<IntervalSnapshot, "series">, Timed {
  readonly type: "interval";
}

/** A request that ended; `time` is the time of the test's call. Only with `--samples`. */
export interface SampleLine extends Timed {
  readonly type: "sample";
  /** The request's name, as in tables. */
  readonly name: string;
  /** Tags besides `name`, such as `scenario`, `page` and `method`. */
  readonly tags: Readonly<Record<string, string>>;
  /** The status of the response; 0 without a response. */
  readonly status: number;
  /** The code of its error, as in the result's `errors`; null for a success. */
  readonly error: string | null;
  /** Phases in ms; null if no connection opened. */
  readonly timings: Timings | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** The trace ID of its `traceparent` header, 32 hexadecimal digits; absent without that header. */
  readonly traceId?: string;
}

/** The last line: the end of the run. It is missing if the process was killed. */
export interface EndLine
  extends Pick<TestResult, "verdict" | "exitCode" | "messages" | "notes" | "partial">, Timed {
  readonly type: "end";
  /**
   * Samples that were written, and samples that were dropped to keep up with the load; null without
   * `--samples`.
   */
  readonly samples: { readonly written: number; readonly shed: number } | null;
}

const runLineSchema: () => z.ZodType<RunLine> = once(() =>
  z.object({
    type: z.literal("run"),
    schema: z.literal("bearhug/ndjson@1"),
    time: amount(),
    test: testSchema(),
    seed: z.int(),
    plan: planSchema(),
  }),
);

const intervalLineSchema: () => z.ZodType<IntervalLine> = once(() =>
  z.object({
    type: z.literal("interval"),
    time: amount(),
    atMs: z.number(),
    elapsedMs: amount(),
    plannedMs: amount().nullable(),
    isWarmup: z.boolean(),
    vus: count(),
    iterations: count(),
    requests: count(),
    requestRate: amount(),
    failedRate: z.number().min(0).max(1),
    p50Ms: amount().nullable(),
    p95Ms: amount().nullable(),
    p99Ms: amount().nullable(),
    isP50LowerBound: z.boolean(),
    isP95LowerBound: z.boolean(),
    isP99LowerBound: z.boolean(),
    receivedBytes: count(),
    expectedBytes: amount().nullable(),
    dropped: count(),
    scenarios: z.array(
      z.object({
        name: z.string(),
        plannedRate: amount().nullable(),
        iterationRate: amount(),
        vus: count(),
        iterations: count(),
        plannedIterations: count().nullable(),
        dropped: count(),
        progress: z.number().min(0).max(1),
        startsInMs: amount(),
        leftMs: amount().nullable(),
      }),
    ),
    errors: z.array(z.object({ code: z.string(), count: count(), name: z.string() })),
    thresholds: z.array(
      z.object({
        metric: z.string(),
        expression: z.string(),
        passed: z.boolean().nullable(),
        actual: z.number().nullable(),
        unit: unitSchema(),
        isShare: z.boolean(),
      }),
    ),
    turn: z.object({ variant: z.string(), lastsMs: amount(), leftMs: amount() }).exactOptional(),
    monitors: z
      .array(
        z.object({
          name: z.string(),
          gap: z.string().nullable(),
          gauges: z.array(z.object({ metric: z.string(), unit: unitSchema(), value: z.number().nullable() })),
        }),
      )
      .exactOptional(),
    missingAgents: z.array(z.string()).exactOptional(),
    generator: z.object({ verdict: generatorVerdictSchema(), reasons: z.array(z.string()) }),
  }),
);

const sampleLineSchema: () => z.ZodType<SampleLine> = once(() =>
  z.object({
    type: z.literal("sample"),
    time: amount(),
    name: z.string(),
    tags: z.record(z.string(), z.string()),
    status: count(),
    error: z.string().nullable(),
    timings: z
      .object({
        ...eachPhase(amount),
        duration: amount(),
        responseTime: amount(),
      })
      .nullable(),
    bytesSent: count(),
    bytesReceived: count(),
    traceId: z.string().exactOptional(),
  }),
);

const endLineSchema: () => z.ZodType<EndLine> = once(() =>
  z.object({
    type: z.literal("end"),
    time: amount(),
    verdict: verdictSchema(),
    exitCode: z.int().min(0).max(255),
    messages: z.array(z.string()),
    notes: z.array(z.string()),
    partial: z.array(z.string()).exactOptional(),
    samples: z.object({ written: count(), shed: count() }).nullable(),
  }),
);

/** A line of the stream; published as `ndjson.schema.json`. */
export const ndjsonLineSchema: () => z.ZodType<NdjsonLine> = once(() =>
  z
    .union([runLineSchema(), intervalLineSchema(), sampleLineSchema(), endLineSchema()])
    .meta({ title: "bearhug/ndjson@1", description: "A line of the file that --out ndjson writes." }),
);
