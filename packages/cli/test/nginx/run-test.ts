import { expect } from "vitest";

import { runForResult, writeTest, type Reported } from "../end-to-end/run-bearhug.ts";

/** Runs a test on one worker: `scenarios` and, if any, `http` are source text. */
export function runTest(
  baseUrl: string,
  { scenarios, http = "{}" }: { readonly scenarios: string; readonly http?: string },
  ...flags: readonly string[]
): Promise<Reported> {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  allowHosts: ["127.0.0.1", "localhost"],
  http: ${http},
  scenarios: { ${scenarios} },
});`);
  return runForResult(["run", file, "--workers", "1", ...flags]);
}

/** Expects that every check of the test was made this many times, and always held. */
export function expectChecksToHold({ result, stdout }: Reported, times: number): void {
  expect(result.checks, stdout).not.toEqual([]);
  for (const { name, passes, fails } of result.checks) {
    expect({ name, passes, fails }).toEqual({ name, passes: times, fails: 0 });
  }
}
