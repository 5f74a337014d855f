import { requestsFailedWords } from "@bearhug/metrics/results/reason-words";
import { sumFigures } from "@bearhug/metrics/sum";
import { formatPercent } from "@bearhug/text/percent";

import { describeLimit } from "./describe-limit.ts";
import { failure, wasCutShort, type Ending, type Reason } from "./ending.ts";
import { describeMostFrequent } from "./describe-cause.ts";
import type { EndedCounts, ScenarioOutcome } from "./scenario-outcomes.ts";
import { describeThrown, firstThrown } from "./thrown-errors.ts";
import { deadScenarios } from "./unavailable-targets.ts";

/** The limit for failures that no threshold of the test judges. */
const maxFailedShare = 0.05;

/**
 * Fails a run in which more requests or iterations failed than `--max-failed` allows, or more than 5 % of those
 * that no threshold judges: fast errors make every response time look good, and an iteration that threw sent
 * only a part of its requests.
 */
export function failedTooMany(ending: Ending): Reason[] {
  return [...failedRequests(ending), ...failedIterations(ending)];
}

function failedRequests(ending: Ending): Reason[] {
  if (!hasTooMany(ending, requestsOf)) return [];
  const counted = countedScenarios(ending);
  const { failed, ended } = sumUp(counted, requestsOf(ending));
  const isPart = ended < sumUp(counted, allRequests).ended;
  const names = new Set(
    counted.flatMap((scenario) => [...(isPart ? scenario.unjudgedRequests.names : scenario.names)]),
  );
  const errors = ending.errors.filter(({ name }) => names.has(name));
  const cause = describeMostFrequent(errors, failed);
  const which = isPart ? " that no threshold judges" : "";
  const what = `${formatPercent(failed / ended)} ${requestsFailedWords}${which}${cause === null ? "" : `: ${cause}`}`;
  return [overLimit(what, "http_req_failed", ending)];
}

function failedIterations(ending: Ending): Reason[] {
  if (!hasTooManyFailedIterations(ending)) return [];
  const countOf = iterationsOf(ending);
  const failing = countedScenarios(ending).filter((scenario) => countOf(scenario).failed > 0);
  const { failed, ended } = sumUp(failing, allIterations);
  const names = failing.map(({ name }) => name);
  const first = firstThrown(ending.errors, names);
  const cause = first === undefined ? "" : `; first error: ${describeThrown(first, failing)}`;
  const only = countedScenarios(ending).length > failing.length ? ` of ${names.join(", ")}` : "";
  return [
    overLimit(
      `${formatPercent(failed / ended)} of iterations${only} failed${cause}`,
      "iteration_failed",
      ending,
    ),
  ];
}

export function hasTooManyFailedIterations(ending: Ending): boolean {
  return hasTooMany(ending, iterationsOf);
}

type Count = (scenario: ScenarioOutcome) => EndedCounts;

const allRequests: Count = ({ failedRequests: failed, requests: ended }) => ({ failed, ended });

const allIterations: Count = ({ completed, failed }) => ({ failed, ended: completed + failed });

/** Returns the counts that the limit applies to: `--max-failed` limits all failures. */
function requestsOf({ judging }: Ending): Count {
  return judging.maxFailed === undefined ? ({ unjudgedRequests }) => unjudgedRequests : allRequests;
}

function iterationsOf({ judging }: Ending): Count {
  return judging.maxFailed === undefined ? ({ unjudgedIterations }) => unjudgedIterations : allIterations;
}

/**
 * True if too many failed, both overall and in the scenarios without a message of their own. Scenarios in
 * which all failed, or whose target was gone, have one.
 */
function hasTooMany(ending: Ending, countsFor: typeof requestsOf): boolean {
  if (wasCutShort(ending)) return false;
  const countOf = countsFor(ending);
  const all = countsFor === requestsOf ? allRequests : allIterations;
  const counted = countedScenarios(ending);
  const dead = deadScenarios(ending);
  const others = counted.filter((scenario) => {
    const { failed, ended } = all(scenario);
    return failed < ended && !dead.has(scenario.name);
  });
  return [counted, others].every((scenarios) => {
    const { failed, ended } = sumUp(scenarios, countOf);
    return failed > limitOf(ending) * ended;
  });
}

function countedScenarios({ scenarios }: Ending): ScenarioOutcome[] {
  return scenarios.filter(({ expectsFailures }) => !expectsFailures);
}

function sumUp(scenarios: readonly ScenarioOutcome[], countOf: Count): EndedCounts {
  return sumFigures(scenarios.map(countOf), "failed", "ended");
}

function limitOf({ judging, isOverload }: Ending): number {
  return judging.maxFailed ?? (isOverload ? 1 : maxFailedShare);
}

function overLimit(what: string, metric: string, ending: Ending): Reason {
  const limit = describeLimit(limitOf(ending), `use --max-failed or a threshold on ${metric}`);
  return failure(`${what}${limit}`);
}
