import { exitCodes } from "../../exit-codes.ts";
import { formatPercent } from "../../format/percent.ts";
import { describeMostFrequent } from "./name-cause.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";

/** The limit of a run whose test judges no failures. */
const mostFailedShare = 0.05;

/**
 * A run in which more requests or iterations failed than `--max-failed` allows, or than 5 % where no threshold judges failures:
 * fast errors make every response time look good.
 */
export function failedTooMany(ending: Ending): Reason[] {
  const { judging, judgesFailures, isOverload } = ending;
  const limit = judging.maxFailed ?? (judgesFailures || isOverload ? 1 : mostFailedShare);
  const judged = ending.scenarios.filter(({ expectsFailures }) => !expectsFailures);
  const sum = (of: (scenario: Ending["scenarios"][number]) => number): number =>
    judged.reduce((total, scenario) => total + of(scenario), 0);
  const requests = sum((scenario) => scenario.requests);
  const failedRequests = sum((scenario) => scenario.failedRequests);
  const iterations = sum(({ completed, failed }) => completed + failed);
  const failedIterations = sum(({ failed }) => failed);
  if (wasCutShort(ending)) return [];
  return [
    // That none succeeded is said apart, with its cause.
    ...(failedRequests < requests ? overLimit("requests", failedRequests, requests, limit, ending) : []),
    ...(failedIterations < iterations
      ? overLimit("iterations", failedIterations, iterations, limit, ending)
      : []),
  ];
}

function overLimit(
  what: "requests" | "iterations",
  failed: number,
  ended: number,
  limit: number,
  ending: Ending,
): Reason[] {
  if (failed <= limit * ended) return [];
  const cause = what === "requests" ? describeMostFrequent(ending.errors, failed) : null;
  const metric = what === "requests" ? "http_req_failed" : "iteration_failed";
  const message =
    `${formatPercent(failed / ended)} of ${what} failed${cause === null ? "" : `; ${cause}`} ` +
    `(limit: ${Number((limit * 100).toPrecision(4))} %; to set your own, use --max-failed or a threshold on ${metric})`;
  return [{ code: exitCodes.thresholdsFailed, message }];
}
