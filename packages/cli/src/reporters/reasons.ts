import type { TestResult, ThresholdResult } from "@bearhug/sdk";

/** The threshold that a reason for the verdict is about; undefined for a reason of another kind. */
function thresholdOf(
  reason: string,
  { thresholds }: Pick<TestResult, "thresholds">,
): ThresholdResult | undefined {
  return thresholds.find(
    ({ metric, expression, passed }) =>
      passed === false &&
      (reason.startsWith(`threshold failed: ${metric}: ${expression} (`) ||
        reason.startsWith(`threshold ${metric} could not be judged`)),
  );
}

/** Every reason for the verdict that is no threshold's, such as "no request succeeded". */
export function reasonsBesideThresholds(result: TestResult): string[] {
  return result.messages.filter((message) => thresholdOf(message, result) === undefined);
}
