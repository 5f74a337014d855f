import type { TestResult } from "@bearhug/sdk";
import type { IterationAccounting, RequestAccounting } from "@bearhug/sdk/result";

import { claim, unequal, type Contradiction } from "./contradiction.ts";

/** Finds started iterations and requests that are in none of the counts of their ends. */
export function unbalancedAccounts({ accounting }: TestResult): Contradiction[] {
  const { iterations, requests, setup, teardown, vuState, warmup } = accounting;
  return [
    ...ofIterations("accounting.iterations", iterations),
    ...ofRequests("accounting.requests", requests),
    ...ofRequests("accounting.setup.requests", setup.requests),
    ...ofRequests("accounting.teardown.requests", teardown.requests),
    ...ofRequests("accounting.vuState.requests", vuState?.requests ?? []),
    ...(warmup === null
      ? []
      : [
          ...ofIterations("accounting.warmup.iterations", warmup.iterations),
          ...ofRequests("accounting.warmup.requests", warmup.requests),
        ]),
  ];
}

function ofIterations(path: string, iterations: IterationAccounting): Contradiction[] {
  const { scheduled, started, completed, failed, interrupted, dropped, lost } = iterations;
  const ended = completed + failed + interrupted + lost;
  return [
    ...unequal(`${path}.scheduled`, scheduled, started + dropped, "started + dropped"),
    ...unequal(`${path}.started`, started, ended, "completed + failed + interrupted + lost"),
  ];
}

function ofRequests(path: string, rows: readonly RequestAccounting[]): Contradiction[] {
  return rows.flatMap(({ started, sent, succeeded, failed, interrupted, lost }, index) => {
    const row = `${path}[${index}]`;
    const ended = succeeded + failed + interrupted + lost;
    return [
      ...unequal(`${row}.started`, started, ended, "succeeded + failed + interrupted + lost"),
      ...claim(sent <= started, `${row}.sent`, `is ${sent}, but only ${started} were started`),
    ];
  });
}
