import type { MetricDelta } from "@bearhug/metrics/accumulator";
import type { CheckFault } from "@bearhug/metrics/check-faults";
import type { BundlePosition, ErrorRecord } from "@bearhug/metrics/error-log";
import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import type { UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { MonitorReport, Reading } from "@bearhug/plan/monitors/monitor";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import {
  accountingSchema,
  exemplarsSchema,
  pausesSchema,
  processSchema,
  trafficStages,
  unitSchema,
  z,
} from "@bearhug/sdk/internal";
import { asMasked, type MaskedText } from "@bearhug/text/masked-text";

import type { CollectorInput, RecordedMoment, RecordedProgress } from "../outcome/run-record.ts";
import { runLimitNames } from "../outcome/run-limits.ts";
import type { RunState } from "../outcome/run-state.ts";
import { fromNumbers } from "./metric-numbers.ts";
import { sourceSchema } from "./run-schema.ts";

const count = z.int().nonnegative();
const amount = z.number().nonnegative();

const deltaSchema: z.ZodType<MetricDelta> = z.array(z.number()).transform((numbers, context) => {
  const delta = fromNumbers(numbers);
  if (delta !== null) return delta;
  context.addIssue("must be the numbers of a metric");
  return z.NEVER;
});

const seriesSchema: z.ZodType<SeriesDelta> = z.object({
  id: z.int(),
  tags: z.record(z.string(), z.string()).nullable(),
  metrics: z.record(z.string(), deltaSchema),
});

/** A text that was masked before it was written. */
const maskedSchema: z.ZodType<MaskedText> = z.string().transform(asMasked);

const positionSchema: z.ZodType<BundlePosition> = z.object({
  line: z.int(),
  column: z.int(),
  isForImport: z.boolean().optional(),
});

const errorSchema: z.ZodType<ErrorRecord> = z.object({
  code: z.string(),
  cause: z.string().nullable(),
  message: maskedSchema,
  name: z.string(),
  origin: z.string().exactOptional(),
  firstAtMs: z.number(),
  count,
  position: positionSchema.nullable(),
});

const checkFaultSchema: z.ZodType<CheckFault> = z.object({
  check: z.string(),
  scenario: z.string(),
  page: z.string().nullable(),
  // Recordings of earlier releases have none.
  group: z.string().nullable().default(null),
  message: maskedSchema,
  firstAtMs: amount,
  position: positionSchema.nullable(),
  count,
});

const unmeasuredSchema: z.ZodType<UnmeasuredTraffic> = z.object({
  host: z.string(),
  stage: z.enum(trafficStages),
  requests: count,
  connections: count,
  refused: count,
  position: positionSchema.nullable(),
});

const snapshotSchema: z.ZodType<WorkerSnapshot> = z.object({
  interval: count,
  series: z.array(seriesSchema),
  errors: z.array(errorSchema),
  checkFaults: z.array(checkFaultSchema),
  unmeasured: z.array(unmeasuredSchema),
  health: z.object({
    utilization: amount,
    loopDelayP95Ms: amount,
    loopDelayP99Ms: amount,
    pauses: pausesSchema(),
    waitedMs: amount,
    last: z.object({ durationMs: amount, utilization: amount, loopDelayP99Ms: amount }),
  }),
  overflow: z.object({
    name: z.string().nullable(),
    tags: z.string().nullable(),
    foldedTags: z.array(z.string()),
  }),
  targets: z
    .array(
      z.object({
        scenario: z.string(),
        origin: z.string().nullable(),
        succeeded: count,
        failed: count,
        lastSuccess: z.object({ atMs: z.number(), failedSince: count }).exactOptional(),
        redirect: z
          .object({ atMs: z.number(), name: z.string(), status: count, location: z.string() })
          .exactOptional(),
        sentToLogin: z
          .array(z.object({ name: z.string(), page: z.string(), requests: count }))
          .exactOptional(),
      }),
    )
    .exactOptional(),
  turns: z
    .array(z.object({ block: count, variant: count, metrics: z.record(z.string(), deltaSchema) }))
    .exactOptional(),
  exemplars: exemplarsSchema().exactOptional(),
});

const readingSchema: z.ZodType<Reading> = z.object({
  value: z.number(),
  unit: unitSchema(),
  seconds: count.exactOptional(),
});

const reportSchema: z.ZodType<MonitorReport> = z.object({
  second: count,
  monitor: z.string(),
  readings: z.record(z.string(), readingSchema),
  gap: z.string().nullable(),
});

const inputSchema: z.ZodType<CollectorInput> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("snapshot"), workerId: count, snapshot: snapshotSchema }),
  z.object({ kind: z.literal("errors"), errors: z.array(errorSchema) }),
  z.object({
    kind: z.literal("gauges"),
    second: count,
    gauges: z.object({ vus: z.number(), vusMade: z.number(), connectionsOpen: z.number() }),
  }),
  z.object({ kind: z.literal("monitor"), report: reportSchema }),
]);

/** The state of a run. Gaps only occur in merged runs, which are not recorded. */
const stateSchema: z.ZodType<Omit<RunState, "gaps" | "acceptedGaps">> = z.preprocess(
  withEndedBy,
  z.object({
    startedAt: z.iso.datetime().nullable(),
    lateMs: amount.default(0),
    durationMs: amount,
    startsUntilMs: amount,
    accounting: accountingSchema(),
    begun: z.array(count).exactOptional(),
    process: processSchema().nullable(),
    workers: z.array(z.object({ id: count, lost: z.string().nullable(), isRunning: z.boolean() })),
    failures: z.array(
      z.object({
        stage: z.enum(trafficStages).exclude(["load"]),
        thrown: z.object({
          message: maskedSchema,
          position: positionSchema.nullable(),
          failedRequests: z
            .array(z.object({ name: z.string(), code: z.string(), origin: z.string() }))
            .exactOptional(),
        }),
      }),
    ),
    unmeasured: z.array(unmeasuredSchema),
    abortReason: z.string().nullable(),
    endedBy: z.enum(runLimitNames).nullable(),
    abortedBy: z.string().nullable().default(null),
    interruptedBy: z.string().nullable(),
    isLoadOver: z.boolean(),
    teardownSignal: z.object({ signal: z.string(), hasCutOff: z.boolean() }).nullable(),
  }),
);

/** Older recordings have `hasReceivedEnough` in place of `endedBy`: the limit on data was the only one. */
function withEndedBy(state: unknown): unknown {
  if (typeof state !== "object" || state === null || !("hasReceivedEnough" in state)) return state;
  const { hasReceivedEnough, ...others } = state;
  if (typeof hasReceivedEnough !== "boolean") return others;
  return { ...others, endedBy: hasReceivedEnough ? "data" : null };
}

const scenarioCounts = z.array(z.object({ vus: count, ended: count, interrupted: count, dropped: count }));
const progressSchema: z.ZodType<RecordedProgress> = z.object({
  receivedBytes: amount,
  scenarios: scenarioCounts,
  warmup: scenarioCounts,
});

/** Every line of a recording except the first. */
export const momentSchema: z.ZodType<RecordedMoment> = z.object({
  inputs: z.array(inputSchema),
  places: z.array(z.object({ position: positionSchema, source: sourceSchema, frame: z.string().nullable() })),
  state: stateSchema,
  progress: progressSchema.exactOptional(),
  isEnd: z.boolean(),
});
