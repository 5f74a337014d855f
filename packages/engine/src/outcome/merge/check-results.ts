import type { TestResult } from "@bearhug/sdk";

import { gapOfInput, gapOfRun, judgingOptions, type MergeProblems, type Gap } from "./check-parts.ts";
import { samplesOf } from "./result-samples.ts";

/** A result document to merge. */
export interface ResultPart {
  /** The file, as the user named it. */
  readonly name: string;
  readonly result: TestResult;
}

/**
 * Checks that results can be added up: of one test, without duplicates, and all of whole runs or all of
 * shards.
 */
export function checkResults(parts: readonly ResultPart[]): MergeProblems {
  const [first] = parts;
  if (first === undefined) return { refusals: [], gaps: [] };
  return {
    refusals: [...parts.flatMap(unmergeableKinds), ...repeated(parts), ...conflictingMetrics(first, parts)],
    gaps: [...otherTests(first, parts), ...shardGaps(parts), ...windowGaps(parts)],
  };
}

/** The parts of results that hold more than the samples of one run. */
const specialKinds = ["sweep", "capacity", "overload", "variants"] as const;

function unmergeableKinds({ name, result }: ResultPart): string[] {
  const kind = specialKinds.find((one) => result[one] !== undefined);
  if (kind !== undefined) return [`${name}: holds more than one load (${kind}), which cannot be added up.`];
  if (samplesOf(result).includes(null))
    return [
      `${name}: has too many series to hold the histograms of all. Record the runs with --out recording=FILE.`,
    ];
  return [];
}

function repeated(parts: readonly ResultPart[]): string[] {
  const texts = parts.map(({ result }) => JSON.stringify(result));
  return parts.flatMap(({ name }, index) => {
    const first = texts.indexOf(texts[index] ?? "");
    const before = parts[first];
    if (before === undefined || first === index) return [];
    return [`${name}: is the same result as ${before.name}. Give it once.`];
  });
}

/** Finds metrics whose type or unit differs between results, so that samples cannot be added up. */
function conflictingMetrics(first: ResultPart, parts: readonly ResultPart[]): string[] {
  return parts.flatMap(({ name, result }) =>
    Object.entries(result.metrics).flatMap(([metric, { type, unit }]) => {
      const other = first.result.metrics[metric];
      if (other === undefined || (other.type === type && other.unit === unit)) return [];
      return [`${name}: ${metric} is another metric than in ${first.name}.`];
    }),
  );
}

function otherTests(first: ResultPart, parts: readonly ResultPart[]): Gap[] {
  const facts = [
    { what: "test", of: ({ test }: TestResult) => test.fingerprint ?? test.name },
    { what: "target", of: ({ test }: TestResult) => test.target },
    {
      what: "plan",
      of: ({ plan: { scenarios, warmupMs } }: TestResult) => JSON.stringify([scenarios, warmupMs]),
    },
    { what: "list of thresholds", of: thresholdsOf },
    {
      what: judgingOptions,
      of: ({ plan }: TestResult) => JSON.stringify(plan.judging),
    },
    { what: "bearhug version", of: ({ tool }: TestResult) => tool.version },
  ];
  return parts.flatMap(({ name, result }) =>
    facts.flatMap(({ what, of }) =>
      of(result) === of(first.result) ? [] : [gapOfInput(`${name}: has another ${what} than ${first.name}`)],
    ),
  );
}

function thresholdsOf({ thresholds }: TestResult): string {
  return JSON.stringify(
    thresholds.map(({ metric, expression, allowEmpty, window }) => [
      metric,
      expression,
      allowEmpty,
      window?.widthMs,
    ]),
  );
}

/**
 * Finds missing or duplicate shards. All parts of one run must be present; any number of whole runs can be
 * added up.
 */
function shardGaps(parts: readonly ResultPart[]): Gap[] {
  const shards = parts.flatMap(({ name, result: { shard, seed } }) =>
    shard === null ? [] : [{ name, seed, ...shard }],
  );
  const [first] = shards;
  if (first === undefined) return [];
  if (shards.length < parts.length) return [gapOfRun("some results are of shards, and others of whole runs")];
  const counts = new Set(shards.map(({ count }) => count));
  if (counts.size > 1) return [gapOfRun(`the results are of runs with ${[...counts].join(" and ")} shards`)];
  const numbers = new Set(shards.map(({ index }) => index));
  const missing = first.count - numbers.size;
  const seeds = new Set(shards.map(({ seed }) => seed));
  return [
    ...(missing > 0 ? [gapOfRun(`shards are missing: ${missing} of ${first.count}`)] : []),
    ...(numbers.size < shards.length ? [gapOfRun("several results are of the same shard")] : []),
    ...(seeds.size > 1 ? [gapOfRun("the shards had different seeds")] : []),
  ];
}

/** Finds thresholds that nothing has judged: a shard judges none, and a result has no windows to judge later. */
function windowGaps(parts: readonly ResultPart[]): Gap[] {
  const unjudged = parts.flatMap(({ result: { shard, thresholds } }) =>
    shard === null ? [] : thresholds.filter(({ window }) => window !== null),
  );
  const names = new Set(unjudged.map(({ metric, expression }) => `${metric}: ${expression}`));
  return Array.from(names, (name) =>
    gapOfRun(`results of shards cannot judge the windows of ${name}; their recordings can`),
  );
}
