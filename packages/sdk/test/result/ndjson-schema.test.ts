import { join } from "node:path";

import { expect, test } from "vitest";
import * as z from "zod";

import { eachPhase } from "../../src/http/timings.ts";
import type { EndLine, IntervalLine, NdjsonLine, RunLine, SampleLine } from "../../src/result/ndjson.ts";
import { generatorVerdictSchema } from "../../src/result/result-generator.ts";
import { unitSchema } from "../../src/result/result-metrics.ts";
import { planSchema, testSchema, verdictSchema } from "../../src/result/result.ts";
import { amount, count } from "../../src/validation/numbers.ts";

const runLine: z.ZodType<RunLine> = z.object({
  type: z.literal("run"),
  schema: z.literal("bearhug/ndjson@1"),
  time: amount(),
  test: testSchema(),
  seed: z.int(),
  plan: planSchema(),
});

const intervalLine: z.ZodType<IntervalLine> = z.object({
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
});

const sampleLine: z.ZodType<SampleLine> = z.object({
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
});

const endLine: z.ZodType<EndLine> = z.object({
  type: z.literal("end"),
  time: amount(),
  verdict: verdictSchema(),
  exitCode: z.int().min(0).max(255),
  messages: z.array(z.string()),
  notes: z.array(z.string()),
  partial: z.array(z.string()).exactOptional(),
  samples: z.object({ written: count(), shed: count() }).nullable(),
});

/** A line of the stream. */
const ndjsonLine: z.ZodType<NdjsonLine> = z
  .union([runLine, intervalLine, sampleLine, endLine])
  .meta({ title: "bearhug/ndjson@1", description: "A line of the file that --out ndjson writes." });

test("ndjson.schema.json matches the zod schema (vitest --update regenerates it)", async () => {
  const schema = z.toJSONSchema(ndjsonLine, { io: "input" });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../../ndjson.schema.json"),
  );
});
