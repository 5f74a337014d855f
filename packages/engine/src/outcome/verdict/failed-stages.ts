import { listSome } from "@bearhug/text/list-some";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { atPosition } from "@bearhug/metrics/results/source-position";
import { sumBy } from "@bearhug/metrics/sum";
import type { Accounting } from "@bearhug/sdk";

import type { StageFailure } from "../run-state.ts";
import type { Locate } from "../run.ts";
import { note, type Ending, type Reason } from "./ending.ts";
import { describeRequestFailure } from "./describe-cause.ts";

export function failedStages({ failures, accounting, locate }: Ending): Reason[] {
  return failures.map((failure) => ({
    code: exitCodes.testThrew,
    message: describeFailedStage(failure, accounting, locate),
  }));
}

/** The most failed requests listed: more would not help. */
const maxRequests = 3;

/** Describes in one sentence which stage threw, where, and which requests had failed before. */
export function describeFailedStage(
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
  const before = [...failed, ...hanging.map(({ name }) => `${name} got no response`)].slice(0, maxRequests);
  return `${what}${where}: ${thrown.message}${before.length === 0 ? "" : `; before that, ${before.join("; ")}`}`;
}

function isHanging({ interrupted, lost }: Accounting["requests"][number]): boolean {
  return interrupted + lost > 0;
}

const maxNamed = 3;

/**
 * Notes failed requests of setup, vuState and teardown if the stage itself succeeded, because no metric
 * includes them.
 */
export function failedStageRequests({ accounting, failures }: Ending): Reason[] {
  return (["setup", "vuState", "teardown"] as const).flatMap((stage) => {
    if (failures.some((failure) => failure.stage === stage)) return [];
    const { requests = [] } = accounting[stage] ?? {};
    const failing = requests.filter(({ failed }) => failed > 0);
    if (failing.length === 0) return [];
    const failed = sumBy(failing, (one) => one.failed);
    const started = sumBy(requests, (one) => one.started);
    const names = failing.map(({ name }) => name);
    const message = `${failed} of ${started} ${started === 1 ? "request" : "requests"} of ${stage} failed: ${listSome(names, maxNamed)}`;
    return [note(message)];
  });
}
