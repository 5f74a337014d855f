import type { ValidatedIterations } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import type { CertainVus } from "./load-model.ts";
import { defaultMaxDurationMs } from "./override.ts";

type Bound = Pick<ValidatedIterations, "maxDurationMs">;

/** The common parts of load models with a number of iterations. */
export const countedModel: {
  readonly isEven: false;
  readonly peakVus: (scenario: ValidatedIterations) => number;
  readonly certainVus: (scenario: ValidatedIterations) => CertainVus;
  readonly activeMs: (pacing: Bound) => number;
  readonly arrivalsOf: () => null;
} = {
  isEven: false,
  peakVus: ({ vus }) => vus,
  certainVus: ({ vus }) => ({ vus, fromMs: 0, untilMs: 0 }),
  activeMs: ({ maxDurationMs }) => maxDurationMs,
  arrivalsOf: () => null,
};

/** Describes `maxDuration` if it differs from the default. */
export function describeMaxDuration({ maxDurationMs }: Bound): string[] {
  return maxDurationMs === defaultMaxDurationMs ? [] : [`in at most ${formatPlanned(maxDurationMs)}`];
}
