import { isDeepStrictEqual } from "node:util";

import { describeSaturated } from "@bearhug/engine/outcome/verdict/saturated-generator";
import {
  findIncomparable,
  thisRun,
  type Allowance,
  type NamedRun,
} from "@bearhug/metrics/comparison/comparable";
import { compareResults } from "@bearhug/metrics/comparison/compare-results";
import { exitCodes, withReasons, type EndCondition } from "@bearhug/metrics/results/exit-codes";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import { comparisonPrefix } from "@bearhug/report/comparison-answer";
import { InvalidInput, type TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { version } from "@bearhug/text/version";

import type { ComparisonOptions } from "./comparison-options.ts";
import { readResult } from "./report.ts";

/** Adds a comparison to the result of the run that just ended, or the reason why there is none. */
export type Judge = (result: TestResult) => TestResult;

/**
 * Returns a judge that compares a run with a baseline. A saturated load generator fails the run, unless
 * accepted.
 */
export function judgeAgainst(
  base: readonly NamedRun[],
  options: ComparisonOptions,
  { allowsSaturated }: { readonly allowsSaturated: boolean },
): Judge {
  const isAccepted = allowsSaturated || options.allowed.has("generator");
  return (result) => {
    const judged = judge(result, base, [{ name: thisRun, result }], options);
    return isAccepted || judged.comparison === undefined ? judged : addSaturation(judged);
  };
}

/** Returns a judge that compares the two targets of an A/B test, which took turns in one run. */
export function judgeTurns(
  targets: { readonly base: string; readonly new: string },
  options: ComparisonOptions,
): Judge {
  return (result) => {
    const side = (variant: "base" | "new"): NamedRun[] => [
      { name: thisRun, result, variant, target: targets[variant] },
    ];
    return judge(result, side("base"), side("new"), options);
  };
}

function judge(
  result: TestResult,
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  options: ComparisonOptions,
): TestResult {
  // A run that ended early has its own exit code, which is more significant.
  if (result.verdict !== "passed" && result.verdict !== "failed") return result;
  const { refusals, mayPass } = whyNotCompared([...base, ...other], options);
  if (refusals.length > 0) {
    const messages = refusals.map((text) => `not compared: ${text}`);
    if (mayPass) return { ...result, notes: [...result.notes, ...messages] };
    return withReasons(
      result,
      messages.map((message) => ({ code: exitCodes.invalidInput, message })),
    );
  }
  const comparison = compareRuns(base, other, options);
  const added = { ...result, comparison };
  return comparison.exitCode === 0 ? added : withReasons(added, reasonsOf(result, comparison));
}

/** Differences that may pass in CI: a changed test has no comparable baseline yet. */
const changes: readonly Allowance[] = ["test", "load"];

/**
 * Returns a sentence for each difference that prevents a comparison, and true if they may pass anyway; none
 * if runs are comparable.
 */
export function whyNotCompared(
  runs: readonly NamedRun[],
  { allowed, passesChanges }: ComparisonOptions,
): { readonly refusals: readonly string[]; readonly mayPass: boolean } {
  const isChange = (): boolean => findIncomparable(runs, new Set([...allowed, ...changes])).length === 0;
  return { refusals: findIncomparable(runs, allowed), mayPass: passesChanges && isChange() };
}

/** Returns the reasons why a failed comparison fails its run. */
function reasonsOf(result: TestResult, { messages }: ComparisonResult): EndCondition[] {
  const code = exitCodes.thresholdsFailed;
  const others = messages.filter((text) => !result.messages.includes(text));
  return others.map((text) => ({ code, message: `${comparisonPrefix}${text}` }));
}

/**
 * Fails a run whose generator was saturated: its measurements say nothing about the target, however close to
 * the baseline.
 */
function addSaturation(result: TestResult): TestResult {
  const isJudged = result.verdict === "passed" || result.verdict === "failed";
  const code = exitCodes.generatorSaturated;
  if (result.generator.verdict !== "saturated" || !isJudged || result.exitCode === code) return result;
  return withReasons(result, [{ code, message: describeSaturated(false, result.generator.reasons) }]);
}

/** Compares runs that are comparable. */
export function compareRuns(
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  { rules }: ComparisonOptions,
): ComparisonResult {
  return compareResults(base, other, rules, {
    tool: { name: "bearhug", version },
    random: () => randomSource(resamplingSeed, 0),
    failedCode: exitCodes.thresholdsFailed,
  });
}

/** Fixed, so that the same results always lead to the same answer. */
const resamplingSeed = 4242;

/** Reads results. @throws {InvalidInput} with a sentence for each that cannot be read, or is a copy of another */
export async function readRuns(files: readonly string[]): Promise<NamedRun[]> {
  const read = await Promise.allSettled(
    files.map(async (name) => ({ name, result: await readResult(name) })),
  );
  const problems = read.flatMap((one) => {
    if (one.status === "fulfilled") return [];
    if (one.reason instanceof InvalidInput) return one.reason.problems;
    throw one.reason;
  });
  const runs = read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  problems.push(...describeCopies(runs));
  if (problems.length > 0) throw new InvalidInput(problems);
  return runs;
}

/** Describes copies of a result. A run never differs from itself, so comparing it would say nothing. */
function describeCopies(runs: readonly NamedRun[]): string[] {
  return runs.flatMap(({ name, result }, index) => {
    const original = runs.slice(0, index).find((earlier) => isDeepStrictEqual(earlier.result, result));
    return original === undefined
      ? []
      : [`${name} is the same result as ${original.name}. Name each result once.`];
  });
}
