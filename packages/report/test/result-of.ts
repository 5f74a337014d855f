import { Trend } from "@bearhug/metrics/trend";
import { type MetricResult, parseResult, type SeriesResult, type TestResult } from "@bearhug/sdk";
import type { MetricUnit, ProcessResult, TrendResult, TrendValues } from "@bearhug/sdk/result";

/** The smallest result: the run ended before the first request. */
const empty: TestResult = {
  schema: "bearhug/result@1",
  tool: { name: "bearhug", version: "0.1.0", node: "24.21.0" },
  test: { name: "front page", file: "examples/front-page.ts", target: "http://127.0.0.1:8080" },
  startedAt: "2026-11-20T20:00:00.000Z",
  durationMs: 0,
  seed: 4242,
  plan: { scenarios: [], workers: 0, warmupMs: 0, maxDataBytes: null },
  environment: { os: "Linux 6.1", cores: 2, memoryMb: 24_000 },
  shard: null,
  truncated: false,
  verdict: "passed",
  exitCode: 0,
  messages: [],
  notes: [],
  generator: { verdict: "healthy", reasons: [], workers: [], process: null },
  accounting: {
    iterations: { scheduled: 0, started: 0, completed: 0, failed: 0, interrupted: 0, dropped: 0, lost: 0 },
    requests: [],
    setup: { requests: [] },
    teardown: { requests: [] },
    warmup: null,
  },
  thresholds: [],
  checks: [],
  metrics: {},
  series: [],
  scenarios: [],
  groups: [],
  pages: [],
  names: [],
  intervals: [],
  unmeasured: [],
  monitors: [],
  errors: [],
};

/** Returns a result document with these parts. Throws if the SDK's schema rejects it, so that no test uses an invalid one. */
export function resultOf(parts: Partial<TestResult>): TestResult {
  const { problems, result } = parseResult({ ...empty, ...parts });
  if (!result) throw new Error(`not a result: ${JSON.stringify(problems)}`);
  return result;
}

/** Returns figures of a process that was far from all its limits. */
export function processOf(parts: Partial<ProcessResult>): ProcessResult {
  return {
    cpuCores: 0.82,
    peakCpuCores: 1.04,
    waitingCores: 0,
    memoryMb: 140,
    peakMemoryMb: 212.4,
    peakConnections: 70,
    peakOpenFiles: 95,
    peakReceivedBytesPerSecond: 612_000,
    peakSentBytesPerSecond: 25_000,
    throttling: null,
    link: null,
    stalls: [],
    limits: { cores: 2, memoryMb: 24_000, openFiles: 20_000, localPorts: 28_232 },
    ...parts,
  };
}

/** Returns the summary and histogram of a trend with these values. */
function trendOf(values: readonly number[]): { values: TrendValues; histogram: string | null } {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  const at = (percentile: number) => trend.percentile(percentile);
  const avg = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return {
    values: {
      count: values.length,
      min,
      avg,
      med: at(50),
      max,
      "p(50)": at(50),
      "p(90)": at(90),
      "p(95)": at(95),
      "p(99)": at(99),
    },
    histogram: trend.encode(),
  };
}

export function trendMetric(values: readonly number[], unit: MetricUnit = "ms"): TrendResult {
  return { type: "trend", unit, values: trendOf(values).values };
}

export function trendSeries(
  metric: string,
  tags: Record<string, string>,
  values: readonly number[],
): SeriesResult {
  const { values: summary, histogram } = trendOf(values);
  return { metric, tags, values: { ...summary }, histogram };
}

export function counterMetric(count: number, seconds: number, unit: MetricUnit = null): MetricResult {
  return { type: "counter", unit, values: { count, rate: count / seconds } };
}

export function rateMetric(passes: number, fails: number): MetricResult {
  return { type: "rate", unit: null, values: { rate: passes / (passes + fails), passes, fails } };
}

export function requestsOf(
  name: string,
  counts: { succeeded?: number; failed?: number; interrupted?: number; lost?: number },
): TestResult["accounting"]["requests"][number] {
  const { succeeded = 0, failed = 0, interrupted = 0, lost = 0 } = counts;
  const started = succeeded + failed + interrupted + lost;
  return { name, started, sent: started, succeeded, failed, interrupted, lost };
}

/** Returns plausible response times from `low` upwards. */
export function latencies(count: number, low: number): number[] {
  return Array.from({ length: count }, (_, index) => low * (1 + 4 * (index / count) ** 6 + (index % 7) / 10));
}
