import { describeSaturated } from "@bearhug/engine/outcome/verdict/saturated-generator";
import {
  findIncomparable,
  thisRun,
  type Allowance,
  type NamedRun,
} from "@bearhug/metrics/comparison/comparable";
import { compareResults } from "@bearhug/metrics/comparison/compare-results";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import { comparedWords } from "@bearhug/report/answer-words";
import { InvalidInput, type TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { exitCodes, withReasons, type Held } from "@bearhug/text/exit-codes";
import { version } from "@bearhug/text/version";

import type { ComparisonOptions } from "./comparison-options.ts";
import { readResult } from "./report.ts";

/** Adds a comparison to the result of the run that just ended, or why there is none. */
export type Judge = (result: TestResult) => TestResult;

/** Compares a run with these runs of a baseline. A saturated load generator fails it, unless that is accepted. */
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

/** Compares the two targets of an A/B test, which took turns in one run. */
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
  // A run that did not come to its end has an exit code of its own, which says more.
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

/** For a gate: a changed test has nothing to be compared with yet. */
const changes: readonly Allowance[] = ["test", "load"];

/** A sentence for each difference for which runs are not compared, and whether they pass all the same; none if they are. */
export function whyNotCompared(
  runs: readonly NamedRun[],
  { allowed, passesChanges }: ComparisonOptions,
): { readonly refusals: readonly string[]; readonly mayPass: boolean } {
  const isChange = (): boolean => findIncomparable(runs, new Set([...allowed, ...changes])).length === 0;
  return { refusals: findIncomparable(runs, allowed), mayPass: passesChanges && isChange() };
}

/** A comparison that fails, fails the run that it is about. */
function reasonsOf(result: TestResult, { messages }: ComparisonResult): Held[] {
  const code = exitCodes.thresholdsFailed;
  const others = messages.filter((text) => !result.messages.includes(text));
  return others.map((text) => ({ code, message: `${comparedWords}${text}` }));
}

/** A run that a saturated generator measured says nothing of the target, and must not pass for being like its baseline. */
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

/** Fixed: the same results give the same answer. */
const resamplingSeed = 4242;

/** Reads the results of a side. @throws {InvalidInput} with a sentence for each that cannot be read */
export async function readRuns(files: readonly string[]): Promise<NamedRun[]> {
  const read = await Promise.allSettled(
    files.map(async (name) => ({ name, result: await readResult(name) })),
  );
  const problems = read.flatMap((one) => {
    if (one.status === "fulfilled") return [];
    if (one.reason instanceof InvalidInput) return one.reason.problems;
    throw one.reason;
  });
  if (problems.length > 0) throw new InvalidInput(problems);
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
