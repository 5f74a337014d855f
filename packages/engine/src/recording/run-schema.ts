import { recordedPacings } from "@bearhug/plan/executors/load-models";
import {
  environmentSchema,
  executorNames,
  metricTypes,
  transportNames,
  unitSchema,
  z,
} from "@bearhug/sdk/internal";

import type { RecordedPlan, RecordedRun, RecordedShard, RecordedThreshold } from "../outcome/run-record.ts";
import { recordingSchema } from "./lines.ts";
import { recordedThresholdSchema } from "./recorded-threshold.ts";

const count = z.int().nonnegative();

export const sourceSchema: z.ZodType<NonNullable<RecordedThreshold["source"]>> = z.object({
  file: z.string(),
  line: count,
  column: count,
});

const metricType = z.enum(metricTypes);

const clientSchema: z.ZodType<RecordedPlan["clients"][number]> = z.object({
  name: z.string(),
  metrics: z.record(z.string(), z.object({ type: metricType, unit: unitSchema(), isDetail: z.boolean() })),
  roles: z.object({
    operations: z.string(),
    failed: z.string(),
    duration: z.string(),
    responseTime: z.string(),
  }),
});

const planSchema: z.ZodType<RecordedPlan> = z.object({
  testName: z.string(),
  seed: z.int(),
  baseUrl: z.string().nullable(),
  allowHosts: z.array(z.string()),
  clients: z.array(clientSchema),
  metrics: z.record(z.string(), z.object({ type: metricType, unit: unitSchema() })),
  workers: count,
  warmupMs: z.number().nonnegative(),
  maxDataBytes: z.number().positive().nullable(),
  variants: z
    .object({ names: z.array(z.string()), turnMs: z.number().positive(), changeoverMs: z.number() })
    .exactOptional(),
  overload: z
    .object({ rate: z.number().positive(), factor: z.number().positive(), phaseMs: z.number().positive() })
    .exactOptional(),
  judging: z
    .object({
      maxFailed: z.number().nonnegative().exactOptional(),
      allowsSaturated: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  scenarios: z.array(
    z.object({
      scenario: z.object({
        name: z.string(),
        executor: z.enum(executorNames),
        expectsNoRequests: z.boolean(),
        expectsFailures: z.boolean().exactOptional(),
        http: z.object({ transport: z.enum(transportNames) }).default({ transport: "bearhug" }),
      }),
      arrivalRate: z
        .object({
          perSecond: z.number().positive(),
          maxVUs: count,
          isQueued: z.literal(true).exactOptional(),
        })
        .nullable()
        .default(null),
      description: z.string(),
      source: sourceSchema.exactOptional(),
      pacing: recordedPacings().exactOptional(),
      endedByFeed: z.object({ feed: z.string(), rows: count, iterations: count }).exactOptional(),
      isEmpty: z.literal(true).exactOptional(),
    }),
  ),
});

const thresholdSchema: z.ZodType<RecordedThreshold> = z.object({
  threshold: recordedThresholdSchema(),
  source: sourceSchema.nullable(),
});

const shardSchema: z.ZodType<RecordedShard> = z.object({
  index: count,
  count: z.int().positive(),
  testHash: z.string(),
  startAt: z.iso.datetime().nullable(),
});

const runSchema: z.ZodType<RecordedRun> = z.object({
  file: z.string().nullable(),
  beganAt: z.iso.datetime(),
  isStrictGenerator: z.boolean(),
  fingerprint: z.string().exactOptional(),
  allowsPartial: z.boolean().default(false),
  shard: shardSchema.nullable().default(null),
  plan: planSchema.nullable(),
  thresholds: z.array(thresholdSchema),
  monitors: z.array(z.object({ name: z.string(), source: z.string() })).default([]),
  tool: z.object({ name: z.string(), version: z.string(), node: z.string() }),
  environment: environmentSchema(),
});

/** The first line of a recording. */
export const headSchema: z.ZodType<RecordingHead> = z.object({
  schema: z.literal(recordingSchema),
  pid: z.int().positive(),
  host: z.string(),
  run: runSchema,
});

export interface RecordingHead {
  readonly schema: typeof recordingSchema;
  readonly pid: number;
  readonly host: string;
  readonly run: RecordedRun;
}
