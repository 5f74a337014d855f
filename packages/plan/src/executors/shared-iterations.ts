import { writtenOptions, pacingSchema } from "./scenario-options.ts";
import type { ScenarioOf } from "./validated-scenario.ts";
import { steadyLoad } from "../pacing/load-over-time.ts";
import {
  placeAmong,
  stripeAt,
  stripeNumber,
  stripeNumbers,
  stripeSize,
  wholeStripe,
} from "../pacing/stripe.ts";
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
import { withConstantVus, withSharedIterations } from "./override.ts";
import type { ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/**
 * Closed model: VUs draw from one counter over all workers, so that fast ones do more. Shards have no counter
 * in common, so each has its stripe of the iterations.
 */
export const sharedIterations: LoadModel<ScenarioOf<"shared-iterations">> = {
  ...countedModel,
  ...writtenOptions("shared-iterations", iterationsShape, validIterations),
  describe: (scenario) => [
    `${describeIterations(scenario.iterations)} shared by ${describeVus(scenario.vus)}`,
    ...describeMaxDuration(scenario),
  ],
  loadOverTime: ({ vus, iterations, maxDurationMs }) => steadyLoad(Math.min(vus, iterations), maxDurationMs),
  plannedIterations: ({ iterations }) => iterations,
  /** A duration given without a number of iterations replaces the number of iterations. */
  override(scenario, options) {
    const { durationMs } = options;
    const vus = options.vus ?? scenario.vus;
    if (options.iterations === null && durationMs !== null)
      return withConstantVus(scenario, { vus, durationMs });
    const iterations = options.iterations ?? scenario.iterations;
    const maxDurationMs = durationMs ?? scenario.maxDurationMs;
    return withSharedIterations(scenario, { vus, iterations, maxDurationMs });
  },

  pacing: () => pacingSchema("shared-iterations", iterationsPacing()),
  countedIterations({ vus, iterations }, shard) {
    const place = placeAmong({ shard, worker: wholeStripe }, vus);
    return place === null ? 0 : stripeSize(iterations, place.shard);
  },

  run: drawIterations,
};

async function drawIterations(
  { vus, iterations }: ScenarioOf<"shared-iterations">,
  share: ScenarioShare,
): Promise<void> {
  const place = placeAmong(share.place, vus);
  if (place === null) return;
  const limit = stripeSize(Math.min(iterations, share.iterationLimit), place.shard);
  const turns = new TurnKeeper(share.clock);
  const draw = (): number | null => {
    const ticket = share.drawTicket(limit);
    return ticket === null ? null : stripeNumber(ticket, place.shard);
  };
  const tickets = {
    hasNext: () => !share.isOver() && share.hasTicket(limit),
    next: () => (share.isOver() ? null : draw()),
  };
  const stripe = stripeAt(place);
  const driven = stripeNumbers(vus, stripe).map((number) => share.createVu(number));
  const loops = driven.map(async (vu) => {
    await loopVu(vu, turns, tickets);
    // No ticket is left, so VUs that are backing off need not wait any longer.
    for (const other of driven) other.wake();
  });
  await Promise.all(loops);
  // `maxDuration` ran out before the iterations did.
  if (share.isOver() && !share.isStopped()) share.drop(share.drawRemainingTickets(limit), null, "time");
}
