import type { ErrorResult } from "@bearhug/sdk";

import { failingCodes } from "../../protocol/thrown-codes.ts";

/** An error of the test with its place. */
export function describeThrown({ message, source }: ErrorResult): string {
  return source ? `${message} at ${source.file}:${source.line}:${source.column}` : message;
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
