import type { ScenarioOf } from "@bearhug/sdk/internal";

import { formatPlanned } from "../format/duration.ts";
import type { LoadModel } from "./load-model.ts";
import { usualMaxDurationMs } from "./override.ts";

type Counted = ScenarioOf<"shared-iterations" | "per-vu-iterations">;

/** The parts that models with a number of iterations have in common. */
export const countedModel: Pick<
  LoadModel<Counted>,
  "isEven" | "mostVus" | "certainVus" | "activeMs" | "arrivalsOf"
> = {
  isEven: false,
  mostVus: ({ vus }) => vus,
  certainVus: ({ vus }) => ({ vus, fromMs: 0, untilMs: 0 }),
  activeMs: ({ maxDurationMs }) => maxDurationMs,
  arrivalsOf: () => null,
};

/** Describes its `maxDuration`, where it is not the usual one. */
export function describeMaxDuration({ maxDurationMs }: Counted): string[] {
  return maxDurationMs === usualMaxDurationMs ? [] : [`in at most ${formatPlanned(maxDurationMs)}`];
}
