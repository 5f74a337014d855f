import { writtenOptions, pacingSchema } from "./scenario-options.ts";
import type { ScenarioOf, ValidatedScenario } from "./validated-scenario.ts";
import { steadyLoad } from "../pacing/load-over-time.ts";
import { stripeAt, stripeNumbers, stripeSize } from "../pacing/stripe.ts";
import {
  countedModel,
  describeMaxDuration,
  iterationsPacing,
  iterationsShape,
  loopVu,
  validIterations,
} from "./closed-model.ts";
import type { LoadModel } from "./load-model.ts";
import { describeIterations, describeVus } from "./describe-load.ts";
import { keepBase } from "./override.ts";
import type { ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: every VU runs the same number of iterations, at its own speed. */
export const perVuIterations: LoadModel<ScenarioOf<"per-vu-iterations">> = {
  ...countedModel,
  ...writtenOptions("per-vu-iterations", iterationsShape, validIterations),
  describe: (scenario) => [
    `${describeIterations(scenario.iterations)} for each of ${describeVus(scenario.vus)}`,
    ...describeMaxDuration(scenario),
  ],
  loadOverTime: ({ vus, maxDurationMs }) => steadyLoad(vus, maxDurationMs),
  plannedIterations: ({ vus, iterations }) => vus * iterations,
  override: (scenario, { vus, durationMs, iterations }) => ({
    ...scenario,
    vus: vus ?? scenario.vus,
    iterations: iterations ?? scenario.iterations,
    maxDurationMs: durationMs ?? scenario.maxDurationMs,
  }),

  pacing: () => pacingSchema("per-vu-iterations", iterationsPacing()),
  countedIterations: ({ vus, iterations }, shard) => stripeSize(vus, shard) * iterations,

  async run(scenario, share) {
    const stripe = stripeAt(share.place);
    const turns = new TurnKeeper(share.clock);
    const loops = stripeNumbers(scenario.vus, stripe).map((vu) => iterateVu(scenario, vu, share, turns));
    await Promise.all(loops);
  },
};

/** Returns a scenario that runs one iteration on one VU, at once. */
export function withOneIteration(
  scenario: ValidatedScenario,
  maxDurationMs: number,
): ScenarioOf<"per-vu-iterations"> {
  return {
    ...keepBase(scenario),
    startTimeMs: 0,
    executor: "per-vu-iterations",
    vus: 1,
    iterations: 1,
    maxDurationMs,
  };
}

async function iterateVu(
  { vus, iterations }: ScenarioOf<"per-vu-iterations">,
  vu: number,
  share: ScenarioShare,
  turns: TurnKeeper,
): Promise<void> {
  let started = 0;
  // Feeds may have too few rows for the VU's last rounds.
  const rounds = Math.min(iterations, Math.max(0, Math.ceil((share.iterationLimit - vu) / vus)));
  // Iterations are numbered round by round, so that VUs that keep step with each other use data rows in
  // order.
  const hasNext = (): boolean => !share.isOver() && started < rounds;
  const next = (): number | null => (hasNext() ? started++ * vus + vu : null);
  await loopVu(share.createVu(vu), turns, { hasNext, next });
  // `maxDuration` ran out before the iterations did.
  if (!share.isStopped()) share.drop(rounds - started, null, "time");
}
