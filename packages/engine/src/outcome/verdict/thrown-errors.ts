import { atPosition, writePosition } from "@bearhug/metrics/results/source-position";
import { sumBy } from "@bearhug/metrics/sum";
import { failingCodes, outsideIterations, unhandledCodes } from "@bearhug/plan/protocol/read-thrown";
import type { ErrorResult } from "@bearhug/sdk";

import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import { failure, note, wasCutShort, type Ending, type Reason } from "./ending.ts";

/**
 * Describes an error of the test with its place, or the scenario's place if the error has none (such as a
 * thrown string).
 */
export function describeThrown(
  { message, source, name }: ErrorResult,
  scenarios: readonly ScenarioOutcome[],
): string {
  if (source) return message + atPosition(source);
  const scenario = scenarios.find((one) => one.name === name);
  return scenario?.source ? `${message}, in the scenario${atPosition(scenario.source)}` : message;
}

/** Returns the scenario's name and place, for messages without an error that has a place. */
export function placedScenario({ name, source }: ScenarioOutcome): string {
  return name + atPosition(source);
}

export function firstThrown(
  errors: readonly ErrorResult[],
  scenarios: readonly string[],
): ErrorResult | undefined {
  return thrownBy(errors, scenarios).sort((left, right) => left.firstAtMs - right.firstAtMs)[0];
}

export function thrownBy(errors: readonly ErrorResult[], scenarios: readonly string[]): ErrorResult[] {
  return errors.filter(({ code, name }) => failingCodes.has(code) && scenarios.includes(name));
}

/** Reports unhandled errors that cannot be traced to an iteration: no failure rate includes them. */
export function unhandledErrors(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  const unhandled = ending.errors.filter(
    ({ code, name }) => name === outsideIterations && unhandledCodes.has(code),
  );
  const first = unhandled.toSorted((left, right) => left.firstAtMs - right.firstAtMs)[0];
  if (first === undefined) return [];
  const count = sumBy(unhandled, (one) => one.count);
  const what = count === 1 ? "an error was" : `${count} errors were`;
  const frame = typeof first.frame === "string" ? `\n${first.frame}` : "";
  const message = `${what} thrown outside of all iterations, where nothing awaited or caught ${count === 1 ? "it" : "them"}; first error: ${describeThrown(first, [])}${frame}`;
  return [failure(message)];
}

/** Notes timers whose code did not run. */
export function unfiredTimers(ending: Ending): Reason[] {
  const unfired = ending.errors.filter(({ code }) => code === "TIMER_NOT_FIRED");
  const first = unfired.toSorted((left, right) => left.firstAtMs - right.firstAtMs)[0];
  if (first === undefined) return [];
  const count = sumBy(unfired, (one) => one.count);
  const named = unfired.every(({ name }) => name === first.name) ? ` of ${first.name}` : "";
  const [timers, their, the] =
    count === 1 ? ["a timer", "its", ""] : [`${count} timers`, "their", "the first "];
  const { source } = first;
  const place = source ? `, ${the}at ${writePosition(source)}` : "";
  const message = `${timers}${named} had not fired when the run ended, so ${their} code did not run${place}`;
  return [note(message)];
}
