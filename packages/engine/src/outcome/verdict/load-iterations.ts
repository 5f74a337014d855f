import { sumBy } from "@bearhug/metrics/sum";
import type { ErrorResult } from "@bearhug/sdk";

import { failure, note, endedEarly, wasCutShort, type Ending, type Reason } from "./ending.ts";
import { hasTooManyFailedIterations } from "./failed-too-many.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import { describeThrown, firstThrown, placedScenario, thrownBy } from "./thrown-errors.ts";

/**
 * Fails scenarios in which iterations failed and none completed. Names the first exception, with its lines of
 * source.
 */
export function nothingCompleted(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios.filter(hasOnlyFailed).flatMap((scenario) => {
    const first = firstThrown(ending.errors, [scenario.name]);
    // If no request succeeded, another rule reports that, with its cause.
    if (first === undefined && !ending.accounting.requests.some(({ succeeded }) => succeeded > 0)) return [];
    return [failure(describeFailed(scenario, first))];
  });
}

/**
 * Notes how many iterations threw, if they are within the limit. Scenarios in which all failed have another
 * rule.
 */
export function someThrew(ending: Ending): Reason[] {
  if (hasTooManyFailedIterations(ending)) return [];
  const some = ending.scenarios.filter((scenario) => scenario.failed > 0 && !hasOnlyFailed(scenario));
  const names = some.map(({ name }) => name);
  const first = firstThrown(ending.errors, names);
  if (first === undefined) return [];
  const failed = sumBy(some, (scenario) => scenario.failed);
  // One iteration may have several unhandled errors.
  const threw = Math.min(
    failed,
    sumBy(thrownBy(ending.errors, names), ({ count }) => count),
  );
  const ended = sumBy(some, ({ completed, failed }) => completed + failed);
  const message = `${threw} of ${ended} iterations threw; first error: ${describeThrown(first, some)}`;
  return [note(message)];
}

/** Fails scenarios whose iterations made no request, unless the test declares that. */
export function noRequests(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  const { accounting, scenarios } = ending;
  const silent = scenarios.filter(
    (scenario) =>
      !scenario.expectsNoRequests && scenario.requests === 0 && !mayHaveUnfinished(scenario, ending),
  );
  const reasons = silent.flatMap((scenario) => {
    if (scenario.completed > 0)
      return [noRequest(`${counted(scenario.completed)} of ${placedScenario(scenario)} made no requests`)];
    // Iterations that began in a warm-up may have made their requests there.
    const hasBegun = scenario.failed === 0 && scenario.vuTime.totalUs > 0 && !hadWarmup(ending);
    return hasBegun && scenarios.length > 1 && !endedEarly(ending)
      ? [noRequest(`the iterations of ${placedScenario(scenario)} made no requests and never finished`)]
      : [];
  });
  if (reasons.length > 0) return reasons;
  const { started, failed } = accounting.iterations;
  const startedRequests = sumBy(accounting.requests, (request) => request.started);
  const isExpected = scenarios.some(({ expectsNoRequests }) => expectsNoRequests);
  if (startedRequests > 0 || started === 0 || failed > 0 || isExpected) return [];
  // With several scenarios, it is unknown whose iterations did not end.
  const [only, ...others] = scenarios;
  const ofScenario = only === undefined || others.length > 0 ? "" : ` of ${placedScenario(only)}`;
  return [noRequest(`${counted(started)}${ofScenario} made no requests and never finished`)];
}

/**
 * True if requests that did not end may be the scenario's. They are known only by their name, so they are
 * those of another scenario if that has requests of this name.
 */
function mayHaveUnfinished(scenario: ScenarioOutcome, { accounting, scenarios }: Ending): boolean {
  const others = scenarios.filter((one) => one !== scenario);
  return accounting.requests.some(
    ({ name, interrupted, lost }) => interrupted + lost > 0 && others.every(({ names }) => !names.has(name)),
  );
}

/**
 * Notes scenarios that made requests, but of which no iteration ended by itself: a promise may never settle, and
 * a virtual user that waits for it applies no load.
 */
export function nothingFinished(ending: Ending): Reason[] {
  if (endedEarly(ending)) return [];
  const unfinished = ending.scenarios.filter(
    ({ completed, failed, requests, vuTime }) =>
      completed + failed === 0 && requests > 0 && vuTime.totalUs > 0,
  );
  return unfinished.map((scenario) =>
    note(
      `no iteration of ${placedScenario(scenario)} finished: each is longer than the load, or waits for something that never comes`,
    ),
  );
}

/**
 * Fails scenarios that started no iteration, such as a ramp from 0 to 0, or a rate below one iteration in the
 * duration.
 */
export function noIterations(ending: Ending): Reason[] {
  const { accounting, scenarios } = ending;
  const { completed, failed } = accounting.iterations;
  const ended = sumBy(scenarios, (scenario) => scenario.completed + scenario.failed);
  const isKnown = completed + failed === ended;
  const hasLostWorker = ending.workers.some((worker) => worker.lost !== null);
  const hasBegun = ending.startedAt !== null;
  if (!hasBegun || endedEarly(ending) || !isKnown || hasLostWorker) return [];
  // Others may have run in the warm-up alone, which has no samples.
  const known = hadWarmup(ending) ? scenarios.filter(({ isEmpty }) => isEmpty) : scenarios;
  return known
    .filter(hasNoIterations)
    .map((scenario) =>
      failure(
        `scenario ${placedScenario(scenario)} started no iteration: its load has no virtual users, or too low a rate for its duration ` +
          "(if that is intended, set expectNoRequests: true)",
      ),
    );
}

/** Iterations that were interrupted have no samples but the time of their virtual users. */
function hasNoIterations(scenario: ScenarioOutcome): boolean {
  const { expectsNoRequests, completed, failed, arrived, drops, vuTime } = scenario;
  return !expectsNoRequests && completed + failed + arrived + drops.size + vuTime.totalUs === 0;
}

/**
 * Notes scenarios that left no sample after the warm-up, although others did: their load was over by then, or
 * their iterations are longer than the load.
 */
export function unmeasuredScenarios(ending: Ending): Reason[] {
  const { accounting, scenarios } = ending;
  if (!hadWarmup(ending) || accounting.iterations.scheduled === 0 || endedEarly(ending)) return [];
  return scenarios
    .filter(
      ({ isEmpty, completed, failed, arrived, drops, requests }) =>
        !isEmpty && completed + failed + arrived + drops.size + requests === 0,
    )
    .map((scenario) => {
      const why =
        scenario.vuTime.totalUs === 0
          ? "none of its iterations began after the warm-up"
          : "its iterations began in the warm-up and never finished";
      return note(`nothing of scenario ${placedScenario(scenario)} was measured: ${why}`);
    });
}

function hadWarmup({ accounting: { warmup } }: Ending): boolean {
  return (warmup?.iterations.started ?? 0) > 0;
}

function noRequest(what: string): Reason {
  return failure(`${what} (if that is intended, set expectNoRequests: true)`);
}

function hasOnlyFailed({ completed, failed }: ScenarioOutcome): boolean {
  return failed > 0 && completed === 0;
}

function describeFailed(scenario: ScenarioOutcome, first: ErrorResult | undefined): string {
  const { name, failed } = scenario;
  const what =
    failed === 1 ? `the only iteration of ${name} failed` : `all ${failed} iterations of ${name} failed`;
  if (first === undefined) return `${what}: ${failed === 1 ? "its" : "their"} requests got no response`;
  const frame = typeof first.frame === "string" ? `\n${first.frame}` : "";
  return `${what}; first error: ${describeThrown(first, [scenario])}${frame}`;
}

function counted(iterations: number): string {
  return iterations === 1 ? "1 iteration" : `${iterations} iterations`;
}

/** Notes scenarios that ended early because a feed ran out of rows: the load was shorter than planned. */
export function usedUpFeeds({ feedEnds, scenarios, begun }: Ending): Reason[] {
  return scenarios.flatMap(({ name, completed, failed }, index) => {
    const end = feedEnds.get(name);
    // Iterations of a warm-up, and those that were interrupted, used rows, too.
    if (end === undefined || (begun?.[index] ?? completed + failed) < end.iterations) return [];
    const rows = end.rows === 1 ? "its only row was" : `its ${end.rows} rows were`;
    const iterations = end.iterations === 1 ? "1 iteration" : `${end.iterations} iterations`;
    const message = `scenario ${name} ended after ${iterations}, because feed ${end.feed} has atEnd: "stop" and ${rows} used up`;
    return [note(message)];
  });
}
