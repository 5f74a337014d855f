import * as z from "zod";

import { type TransportName, transportNames } from "../http-options/http-options.ts";
import { executorNames, type ExecutorName } from "../scenario/scenario.ts";
import { type Problem, ProblemCollector } from "../validation/problem.ts";
import { type CapacityResult, capacitySchema } from "./capacity-result.ts";
import { type Accounting, accountingSchema } from "./result-accounting.ts";
import { type GeneratorResult, generatorSchema } from "./result-generator.ts";
import { type CheckResult, checkSchema } from "./check-result.ts";
import { type ComparisonResult, comparisonSchema } from "./comparison-result.ts";
import { type ExemplarsResult, exemplarsSchema } from "./exemplars-result.ts";
import { type OverloadResult, overloadSchema } from "./overload-result.ts";
import { type SweepResult, sweepSchema } from "./sweep-result.ts";
import { type ThresholdResult, thresholdSchema } from "./threshold-result.ts";
import {
  type MergedResult,
  mergedSchema,
  type MetricResult,
  metricSchema,
  type SeriesResult,
  seriesSchema,
} from "./result-metrics.ts";
import { type ErrorResult, errorSchema, type IntervalResult, intervalSchema } from "./result-timeline.ts";
import { type VariantsResult, variantsSchema } from "./variants-result.ts";
import { type MonitorResult, monitorSchema } from "./result-monitors.ts";
import { type UnmeasuredResult, unmeasuredSchema } from "./result-unmeasured.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

const verdicts = ["passed", "failed", "aborted", "interrupted", "errored"] as const;

/** How a test ended. */
export type Verdict = (typeof verdicts)[number];

/** A scenario as it was planned. */
export interface PlannedScenario {
  readonly name: string;
  readonly executor: ExecutorName;
  /** A description of its load. */
  readonly description: string;
  /** The HTTP client that sent its requests. */
  readonly transport: TransportName;
  /** True if its failures are intended (`expectFailures`); absent if not. */
  readonly expectsFailures?: true;
}

/** The result of a test run, from which every report is made. Times are in milliseconds. */
export interface TestResult {
  readonly schema: "bearhug/result@1";
  readonly tool: { readonly name: string; readonly version: string; readonly node: string };
  readonly test: {
    readonly name: string;
    /** The file of the test; null if there was no file. */
    readonly file: string | null;
    /** The base URL; null if the test has none. */
    readonly target: string | null;
    /** Fingerprint of the test's code as it was run; absent if there was no file. */
    readonly fingerprint?: string;
  };
  /** The start of the measured load, in UTC (ISO 8601). */
  readonly startedAt: string;
  /** The duration of the load, without its warm-up. */
  readonly durationMs: number;
  /** The random seed. The same seed reproduces schedule, data and arrivals. */
  readonly seed: number;
  readonly plan: {
    readonly scenarios: readonly PlannedScenario[];
    readonly workers: number;
    /** The length of the warm-up at the start of the load, which is not measured; 0 for none. */
    readonly warmupMs: number;
    /** The received bytes after which the run was to stop gracefully (`--max-data`); null for no limit. */
    readonly maxDataBytes: number | null;
    /** Command-line options that affect the verdict, besides thresholds; absent if there are none. */
    readonly judging?: {
      /** The share of requests or iterations that may fail, from 0 to 1. */
      readonly maxFailed?: number;
      /** True if a saturated load generator does not fail the run. */
      readonly allowsSaturated?: true;
    };
  };
  readonly environment: {
    readonly os: string;
    readonly cores: number;
    /** The memory of the machine, in MiB. */
    readonly memoryMb: number;
    /** The processor's model; absent if the system does not report it. */
    readonly cpu?: string;
  };
  /**
   * This machine's part of a load that was split between machines, with `index` from 0; null for a whole
   * load.
   */
  readonly shard: { readonly index: number; readonly count: number } | null;
  /** True for a run that was killed: the result then has what had been recorded until then. */
  readonly truncated: boolean;
  readonly verdict: Verdict;
  readonly exitCode: number;
  /** Every reason for the verdict, one sentence each; empty for a run that passed. */
  readonly messages: readonly string[];
  /** Facts worth knowing that do not change the verdict, one sentence each. */
  readonly notes: readonly string[];
  /**
   * Missing parts of the load that `--allow-partial` accepted, one sentence each; absent if no part is
   * missing.
   */
  readonly partial?: readonly string[];
  readonly generator: GeneratorResult;
  readonly accounting: Accounting;
  readonly thresholds: readonly ThresholdResult[];
  readonly checks: readonly CheckResult[];
  /** The metrics by name. Metrics without a sample are left out. */
  readonly metrics: Readonly<Record<string, MetricResult>>;
  /**
   * `http_req_duration` and `http_req_response_time` of only the requests with an expected response: k6's
   * `{ expected_response:true }`. Absent if no request failed, or if none had an expected response.
   */
  readonly expectedResponses?: Readonly<Record<string, MetricResult>>;
  /** The names of the metrics that clients other than HTTP record, by the client's name; absent without such clients. */
  readonly clients?: Readonly<Record<string, readonly string[]>>;
  /** The series. Each sample is in exactly one of them, so they add up to the totals. */
  readonly series: readonly SeriesResult[];
  /** The length of each of a series' `blocks`; absent in results without blocks, such as merged ones. */
  readonly blockMs?: number;
  /** Iterations and requests of each scenario that has samples. */
  readonly scenarios: readonly MergedResult[];
  /** Times and requests of each group; the 100 most frequent groups. */
  readonly groups: readonly MergedResult[];
  /** Durations and sizes of each page, and its requests. */
  readonly pages: readonly MergedResult[];
  /** The requests, by name. */
  readonly names: readonly MergedResult[];
  readonly intervals: readonly IntervalResult[];
  readonly errors: readonly ErrorResult[];
  /** Readings of the servers and processes that `--monitor` and `--monitor-pid` name. */
  readonly monitors: readonly MonitorResult[];
  /**
   * How busy the monitored machines and the generator were when response times rose, in one sentence. It
   * describes a coincidence, which need not be the cause. Absent if no response times rose, or if no monitor
   * had readings.
   */
  readonly attribution?: string;
  /** Example exchanges of pages and errors; absent if there are none. */
  readonly exemplars?: ExemplarsResult;
  /** Hosts that the test's own code contacted, or tried to contact, without bearhug's `http`. */
  readonly unmeasured: readonly UnmeasuredResult[];
  /** The sweep, of which the rest of this document describes the best step; absent for any other run. */
  readonly sweep?: SweepResult;
  /** The comparison of variants; absent for a run without variants. */
  readonly variants?: VariantsResult;
  /** The search for the capacity, which this run belongs to; only with `bearhug capacity`. */
  readonly capacity?: CapacityResult;
  /** The behaviour of the target under a load beyond its rate; only with `--overload`. */
  readonly overload?: OverloadResult;
  /** The comparison with a baseline, or of the two targets of `bearhug ab-test`; absent without either. */
  readonly comparison?: ComparisonResult;
}

export const testSchema: () => z.ZodType<TestResult["test"]> = once(() =>
  z.object({
    name: z.string(),
    file: z.string().nullable(),
    target: z.string().nullable(),
    fingerprint: z.string().exactOptional(),
  }),
);

export const planSchema: () => z.ZodType<TestResult["plan"]> = once(() =>
  z.object({
    scenarios: z.array(
      z.object({
        name: z.string(),
        executor: z.enum(executorNames),
        description: z.string(),
        transport: z.enum(transportNames).default("bearhug"),
        expectsFailures: z.literal(true).exactOptional(),
      }),
    ),
    workers: count(),
    warmupMs: amount(),
    maxDataBytes: z.int().positive().nullable(),
    judging: z
      .object({
        maxFailed: amount().exactOptional(),
        allowsSaturated: z.literal(true).exactOptional(),
      })
      .exactOptional(),
  }),
);

export const environmentSchema: () => z.ZodType<TestResult["environment"]> = once(() =>
  z.object({
    os: z.string(),
    cores: z.int().positive(),
    memoryMb: z.number().positive(),
    cpu: z.string().exactOptional(),
  }),
);

export const verdictSchema: () => z.ZodType<Verdict> = once(() => z.enum(verdicts));

/** Reads a result. Unknown properties are left out, so that later releases may add some. */
export const testResultSchema: () => z.ZodType<TestResult> = once(() =>
  z
    .object({
      schema: z.literal("bearhug/result@1"),
      tool: z.object({ name: z.string(), version: z.string(), node: z.string() }),
      test: testSchema(),
      startedAt: z.iso.datetime(),
      durationMs: amount(),
      seed: z.int(),
      plan: planSchema(),
      environment: environmentSchema(),
      shard: z.object({ index: count(), count: z.int().positive() }).nullable(),
      truncated: z.boolean().default(false),
      verdict: verdictSchema(),
      exitCode: z.int().min(0).max(255),
      messages: z.array(z.string()),
      notes: z.array(z.string()).default([]),
      partial: z.array(z.string()).exactOptional(),
      generator: generatorSchema(),
      accounting: accountingSchema(),
      thresholds: z.array(thresholdSchema()),
      checks: z.array(checkSchema()),
      metrics: z.record(z.string(), metricSchema()),
      expectedResponses: z.record(z.string(), metricSchema()).exactOptional(),
      clients: z.record(z.string(), z.array(z.string())).exactOptional(),
      series: z.array(seriesSchema()),
      blockMs: z.number().positive().exactOptional(),
      scenarios: z.array(mergedSchema()),
      groups: z.array(mergedSchema()),
      pages: z.array(mergedSchema()),
      names: z.array(mergedSchema()),
      intervals: z.array(intervalSchema()),
      errors: z.array(errorSchema()),
      monitors: z.array(monitorSchema()).default([]),
      attribution: z.string().exactOptional(),
      exemplars: exemplarsSchema().exactOptional(),
      unmeasured: z.array(unmeasuredSchema()),
      sweep: sweepSchema().exactOptional(),
      variants: variantsSchema().exactOptional(),
      capacity: capacitySchema().exactOptional(),
      overload: overloadSchema().exactOptional(),
      comparison: comparisonSchema().exactOptional(),
    })
    .meta({ title: "bearhug/result@1", description: "The result of a run of bearhug." }),
);

/** The outcome of {@link parseResult}. */
export interface ParsedResult {
  /** Every problem; empty for a valid result. */
  readonly problems: readonly Problem[];
  /** The result; absent if there are problems. */
  readonly result?: TestResult;
}

/**
 * Validates a value, such as a file's parsed JSON, as a result document of `bearhug/result@1`.
 * Properties that this release does not know are left out. Throws nothing.
 */
export function parseResult(value: unknown): ParsedResult {
  const collector = new ProblemCollector("The result", { compiles: true });
  const result = collector.read(testResultSchema(), value, []);
  return { problems: collector.problems, ...(result && { result }) };
}
