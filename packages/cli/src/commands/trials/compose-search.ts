import type { CapacityRun } from "@bearhug/engine/trials/capacity/search-capacity";
import { overloadBaseRate } from "@bearhug/engine/trials/run-overload";
import { chooseExitCode, exitCodes } from "@bearhug/metrics/results/exit-codes";
import {
  describeAnswer,
  describeContradiction,
  describeGenerators,
  describeInterrupted,
  describeOutage,
} from "@bearhug/report/model/capacity";
import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult } from "@bearhug/sdk/result";

import type { CapacityRequest } from "./capacity-request.ts";

/** Composes the result of a search: the run that the answer is based on, with the search and its verdict. */
export function composeSearch(
  { capacity: found, result, isCutShort }: CapacityRun,
  { objectives, added, atLeast, overload }: CapacityRequest,
  signal: string | null,
): TestResult {
  const capacity: CapacityResult = {
    ...found,
    atLeast,
    objectives: objectives.map(({ text, judges, bound, gaugeUnit }, index) => ({
      text,
      judges,
      bound,
      ...(gaugeUnit !== undefined && { gaugeUnit }),
      isOwn: index < objectives.length - added,
    })),
  };
  const document = { ...result, thresholds: [], capacity };
  if (isCutShort) {
    const isInterrupted = result.verdict === "interrupted" && signal !== null;
    return isInterrupted ? { ...document, messages: [describeInterrupted(capacity, signal)] } : document;
  }
  const reasons = [...describeOutage(capacity), ...describeShortfall(capacity)];
  const skipped =
    overload === null || overloadBaseRate(capacity) !== null
      ? []
      : [
          "no overload was tried: the search found no rate that the target can take and this machine can exceed",
        ];
  return {
    ...document,
    verdict: reasons.length === 0 ? "passed" : "failed",
    exitCode: reasons.length === 0 ? exitCodes.passed : exitCodes.thresholdsFailed,
    messages: reasons,
    notes: [
      describeAnswer(capacity),
      ...describeContradiction(capacity),
      ...describeGenerators(capacity),
      ...skipped,
      ...result.notes,
    ],
  };
}

/** Adds the overload to the result of a search. */
export function addOverload(
  document: TestResult,
  overloadRun: TestResult,
  signal: string | null,
): TestResult {
  const { overload, verdict, exitCode } = overloadRun;
  const section = overload === undefined ? {} : { overload };
  // Failures are expected in an overload; its own section reports them.
  if (verdict === "passed" || verdict === "failed") return { ...document, ...section };
  const messages =
    verdict === "interrupted" && signal !== null
      ? [`interrupted by ${signal} during the overload`]
      : overloadRun.messages.map((message) => `overload: ${message}`);
  return {
    ...document,
    ...section,
    verdict,
    exitCode: chooseExitCode([exitCode, document.exitCode]),
    messages: [...messages, ...document.messages],
  };
}

/**
 * Returns a sentence if the search did not confirm the required capacity, which only a load that passed does.
 */
function describeShortfall({ atLeast, passed = null, unit }: CapacityResult): string[] {
  if (atLeast === null || (passed ?? 0) >= atLeast) return [];
  const required = unit === "vus" ? `${atLeast} virtual users` : `${atLeast}/s`;
  return [`the search did not confirm a capacity of at least ${required}`];
}
