import { describe, expect, test } from "vitest";

import {
  describeFailed,
  describeNotEvaluated,
  generatorSaturated,
  isReasonFor,
  isThresholdFailure,
  isMentioned,
} from "../../src/results/reason-words.ts";
import { describeSaturated } from "../../../engine/src/outcome/verdict/saturated-generator.ts";

const threshold = {
  metric: "http_req_duration{page:home}",
  expression: "p(95)<1s",
  passed: false,
  actual: 2000,
  unit: "ms",
  samples: 100,
  window: null,
  allowEmpty: false,
  source: null,
} as const;

describe("the reason for a threshold", () => {
  test.each([
    { reason: `${describeFailed(threshold)}was 2.0 s)`, failed: true },
    {
      reason: `${describeNotEvaluated(threshold.metric)}: there were too many tag combinations`,
      failed: false,
    },
  ])("is recognised: $reason", ({ reason, failed }) => {
    expect(isReasonFor(threshold, reason)).toBe(true);
    expect(isThresholdFailure(reason)).toBe(failed);
    expect(isReasonFor({ ...threshold, metric: "checks" }, reason)).toBe(false);
  });
});

test("a saturated generator is recognised in every wording of its reason", () => {
  for (const isStrict of [true, false])
    expect(isMentioned(generatorSaturated, ["aborted", describeSaturated(isStrict, [])])).toBe(true);
  expect(isMentioned(generatorSaturated, ["aborted by the test: saturated"])).toBe(false);
});
