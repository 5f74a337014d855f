import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { requestsFailedWords } from "@bearhug/metrics/results/reason-words";
import { formatPercent } from "@bearhug/text/percent";

import { describeLimit } from "./describe-limit.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import { describeMostFrequent } from "./describe-cause.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import { describeThrown, firstThrown } from "./thrown-errors.ts";
import { deadScenarios } from "./unavailable-targets.ts";

/** The limit for a test that does not judge failures itself. */
const maxFailedShare = 0.05;

/**
 * Fails a run in which more requests or iterations failed than `--max-failed` allows, or more than 5 % if no
 * threshold judges failures: fast errors make every response time look good.
 */
export function failedTooMany(ending: Ending): Reason[] {
  return [...failedRequests(ending), ...failedIterations(ending)];
}

function failedRequests(ending: Ending): Reason[] {
  if (!hasTooMany(ending, requestsOf)) return [];
  const judged = judgedScenarios(ending);
  const names = new Set(judged.flatMap((scenario) => [...scenario.names]));
  const errors = ending.errors.filter(({ name }) => names.has(name));
  const { failed, ended } = sumUp(judged, requestsOf);
  const cause = describeMostFrequent(errors, failed);
  const what = `${formatPercent(failed / ended)} ${requestsFailedWords}${cause === null ? "" : `: ${cause}`}`;
  return [overLimit(what, "http_req_failed", ending)];
}

function failedIterations(ending: Ending): Reason[] {
  if (!hasTooManyFailedIterations(ending)) return [];
  const judged = judgedScenarios(ending);
  const { failed, ended } = sumUp(judged, iterationsOf);
  const names = judged.map(({ name }) => name);
  const first = firstThrown(ending.errors, names);
  const cause = first === undefined ? "" : `; first error: ${describeThrown(first, judged)}`;
  return [
    overLimit(`${formatPercent(failed / ended)} of iterations failed${cause}`, "iteration_failed", ending),
  ];
}

export function hasTooManyFailedIterations(ending: Ending): boolean {
  return hasTooMany(ending, iterationsOf);
}

interface Counts {
  readonly failed: number;
  readonly ended: number;
}

type Count = (scenario: ScenarioOutcome) => Counts;

const requestsOf: Count = ({ failedRequests: failed, requests: ended }) => ({ failed, ended });

const iterationsOf: Count = ({ completed, failed }) => ({ failed, ended: completed + failed });

/**
 * True if too many failed, both overall and in the scenarios without a message of their own. Scenarios in
 * which all failed, or whose target was gone, have one.
 */
function hasTooMany(ending: Ending, countOf: Count): boolean {
  if (wasCutShort(ending)) return false;
  const judged = judgedScenarios(ending);
  const dead = deadScenarios(ending);
  const others = judged.filter((scenario) => {
    const { failed, ended } = countOf(scenario);
    return failed < ended && !dead.has(scenario.name);
  });
  return [judged, others].every((scenarios) => {
    const { failed, ended } = sumUp(scenarios, countOf);
    return failed > limitOf(ending) * ended;
  });
}

function judgedScenarios({ scenarios }: Ending): ScenarioOutcome[] {
  return scenarios.filter(({ expectsFailures }) => !expectsFailures);
}

function sumUp(scenarios: readonly ScenarioOutcome[], countOf: Count): Counts {
  return scenarios
    .map(countOf)
    .reduce((sum, { failed, ended }) => ({ failed: sum.failed + failed, ended: sum.ended + ended }), {
      failed: 0,
      ended: 0,
    });
}

function limitOf({ judging, judgesFailures, isOverload }: Ending): number {
  return judging.maxFailed ?? (judgesFailures || isOverload ? 1 : maxFailedShare);
}

function overLimit(what: string, metric: string, ending: Ending): Reason {
  const limit = describeLimit(limitOf(ending), `use --max-failed or a threshold on ${metric}`);
  return { code: exitCodes.thresholdsFailed, message: `${what}${limit}` };
}
