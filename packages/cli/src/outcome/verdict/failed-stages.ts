import type { Accounting } from "@bearhug/sdk";
import { atPosition } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import type { StageFailure } from "../run-state.ts";
import type { Locate } from "../run.ts";
import type { Ending, Reason } from "./ending.ts";
import { describeFailure as describeRequestFailure } from "./name-cause.ts";

export function failedStages({ failures, accounting, locate }: Ending): Reason[] {
  return failures.map((failure) => ({
    code: exitCodes.testThrew,
    message: describeFailure(failure, accounting, locate),
  }));
}

/** More are of no help. */
const mostRequests = 3;

/** One sentence: what threw, where, and which requests had failed before; the lines around it stand with the errors. */
export function describeFailure(
  { stage, thrown }: StageFailure,
  accounting: Pick<Accounting, "setup" | "teardown">,
  locate: Locate,
): string {
  const what = stage === "module" ? "the test could not be loaded" : `${stage} failed`;
  const where = atPosition(thrown.position && locate(thrown.position)?.source);
  const failed = (thrown.failedRequests ?? []).map(
    ({ name, code, origin }) => `${name} failed: ${describeRequestFailure(code, origin)}`,
  );
  const hanging = stage === "module" ? [] : accounting[stage].requests.filter(isHanging);
  const before = [...failed, ...hanging.map(({ name }) => `${name} got no response`)].slice(0, mostRequests);
  return `${what}${where}: ${thrown.message}${before.length === 0 ? "" : `; before that, ${before.join("; ")}`}`;
}

function isHanging({ interrupted, lost }: Accounting["requests"][number]): boolean {
  return interrupted + lost > 0;
}
