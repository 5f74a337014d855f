import type { ValidatedIterations } from "@bearhug/sdk/internal";

import { stripeAt, stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor, ScenarioShare } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: every VU runs the same number of iterations, at its own speed. */
export const perVuIterations: Executor<ValidatedIterations> = async (scenario, share) => {
  const stripe = stripeAt(share.place);
  const turns = new TurnKeeper(share.clock);
  const loops = Array.from({ length: stripeSize(scenario.vus, stripe) }, (_, position) =>
    iterateVu(scenario, stripeNumber(position, stripe), share, turns),
  );
  await Promise.all(loops);
};

async function iterateVu(
  { vus, iterations }: ValidatedIterations,
  vu: number,
  share: ScenarioShare,
  turns: TurnKeeper,
): Promise<void> {
  let started = 0;
  // Rows of feeds may not suffice for the VU's last rounds.
  const rounds = Math.min(iterations, Math.max(0, Math.ceil((share.iterationLimit - vu) / vus)));
  // Numbered round by round, so that VUs that keep step with each other use data rows in order.
  const hasNext = (): boolean => !share.isOver && started < rounds;
  const next = (): number | null => (hasNext() ? started++ * vus + vu : null);
  await loopVu(share.createVu(vu), turns, { hasNext, next });
  // Its time ran out before its iterations did.
  if (!share.isStopped) share.drop(rounds - started, null, "time");
}
