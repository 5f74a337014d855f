import { formatPlanned } from "@bearhug/text/duration";

import { durationSchema } from "../validation/duration.ts";
import { zeroOrMore, atLeastOne, timeMs, writtenOptions, pacingSchema } from "./scenario-options.ts";
import type { ScenarioOf } from "./validated-scenario.ts";
import { steadyLoad } from "../pacing/load-over-time.ts";
import { placeAmong, stripeAt, stripeNumber, stripeNumbers } from "../pacing/stripe.ts";
import { loopVu } from "./closed-model.ts";
import type { LoadModel } from "./load-model.ts";
import { describeVus } from "./describe-load.ts";
import { defaultMaxDurationMs, withSharedIterations } from "./override.ts";
import type { ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: a fixed number of VUs, each starting its next iteration when the last one has ended. */
export const constantVus: LoadModel<ScenarioOf<"constant-vus">> = {
  ...writtenOptions(
    "constant-vus",
    () => ({ vus: atLeastOne().default(1), duration: durationSchema() }),
    ({ vus, duration }) => ({ vus, durationMs: duration }),
  ),
  isEven: true,
  describe: ({ vus, durationMs }) => [`${describeVus(vus)} for ${formatPlanned(durationMs)}`],
  loadOverTime: ({ vus, durationMs }) => steadyLoad(vus, durationMs),
  peakVus: ({ vus }) => vus,
  certainVus: ({ vus, durationMs }) => ({ vus, fromMs: 0, untilMs: durationMs }),
  plannedIterations: () => null,
  /**
   * If iterations are given, the scenario becomes one of shared iterations, and a duration becomes its
   * maximum.
   */
  override(scenario, options) {
    const { durationMs, iterations } = options;
    const vus = options.vus ?? scenario.vus;
    if (iterations === null) return { ...scenario, vus, durationMs: durationMs ?? scenario.durationMs };
    const maxDurationMs = durationMs ?? defaultMaxDurationMs;
    return withSharedIterations(scenario, { vus, iterations, maxDurationMs });
  },

  pacing: () => pacingSchema("constant-vus", { vus: zeroOrMore(), durationMs: timeMs() }),
  activeMs: ({ durationMs }) => durationMs,
  countedIterations: () => null,
  arrivalsOf: () => null,

  run: iterateForTime,
};

async function iterateForTime({ vus }: ScenarioOf<"constant-vus">, share: ScenarioShare): Promise<void> {
  const place = placeAmong(share.place, vus);
  if (place === null) return;
  const stripe = stripeAt(place);
  let started = 0;
  const hasRow = (): boolean => {
    const isLeft = stripeNumber(started, stripe) < share.iterationLimit;
    if (!isLeft) share.reportLimitReached();
    return isLeft;
  };
  const turns = new TurnKeeper(share.clock);
  const iterations = {
    hasNext: () => !share.isOver() && hasRow(),
    next: () => (share.isOver() || !hasRow() ? null : stripeNumber(started++, stripe)),
  };
  const loops = stripeNumbers(vus, stripe).map((number) => loopVu(share.createVu(number), turns, iterations));
  await Promise.all(loops);
}
