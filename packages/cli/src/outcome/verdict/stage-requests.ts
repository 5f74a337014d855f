import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

const mostNamed = 3;

/** Notes requests of setup, vuState and teardown that failed, where the stage itself did not: no metric has them. */
export function failedStageRequests({ accounting, failures }: Ending): Reason[] {
  return (["setup", "vuState", "teardown"] as const).flatMap((stage) => {
    if (failures.some((failure) => failure.stage === stage)) return [];
    const { requests = [] } = accounting[stage] ?? {};
    const failing = requests.filter(({ failed }) => failed > 0);
    if (failing.length === 0) return [];
    const failed = failing.reduce((sum, one) => sum + one.failed, 0);
    const started = requests.reduce((sum, one) => sum + one.started, 0);
    const more = failing.length - mostNamed;
    const names = failing.slice(0, mostNamed).map(({ name }) => name);
    const message = `${failed} of ${started} ${started === 1 ? "request" : "requests"} of ${stage} failed: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    return [{ code: exitCodes.passed, message }];
  });
}
