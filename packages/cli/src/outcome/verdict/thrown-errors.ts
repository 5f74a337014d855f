import type { ErrorResult } from "@bearhug/sdk";
import { atPosition } from "@bearhug/sdk/internal";

import { failingCodes } from "../../protocol/read-thrown.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";

/** An error of the test with its place: that of its scenario where the error has none, as a thrown text. */
export function describeThrown(
  { message, source, name }: ErrorResult,
  scenarios: readonly ScenarioOutcome[],
): string {
  if (source) return message + atPosition(source);
  const scenario = scenarios.find((one) => one.name === name);
  return scenario?.source ? `${message}, in the scenario${atPosition(scenario.source)}` : message;
}

/** A scenario as verdicts name it where no error has a place. */
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
