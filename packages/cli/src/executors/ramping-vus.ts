import type { ValidatedRampingVus } from "@bearhug/sdk/internal";

import { stripeAt, stripeNumber, type Stripe } from "../pacing/stripe.ts";
import { vuRamp, type RampStep } from "../pacing/vu-ramp.ts";
import type { Executor, ScenarioShare } from "./executor.ts";
import { RampedVu } from "./ramped-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: VUs that join and leave in stages, each starting its next iteration when the last one has ended. */
export const rampingVus: Executor<ValidatedRampingVus> = async (scenario, share) => {
  const stripe = stripeAt(share.place);
  let started = 0;
  const turns = new TurnKeeper(share.clock);
  const limit = Promise.withResolvers<null>();
  const hasRow = (): boolean => {
    const isLeft = stripeNumber(started, stripe) < share.iterationLimit;
    if (!isLeft) {
      share.reachedLimit();
      limit.resolve(null);
    }
    return isLeft;
  };
  const nextIteration = (): number => stripeNumber(started++, stripe);
  const parts = { share, turns, hasRow, nextIteration, gracefulRampDownMs: scenario.gracefulRampDownMs };
  const vus = new Map<number, RampedVu>();
  await followSteps(stepsOf(scenario, stripe), share, limit.promise, ({ vu: number, joins }) => {
    let vu = vus.get(number);
    if (vu === undefined) vus.set(number, (vu = new RampedVu(number, parts)));
    if (joins) vu.join();
    else vu.leave();
  });
  await Promise.all([...vus.values()].map((vu) => vu.ended()));
};

/** Of the VUs of all workers, those of this one's stripe. */
function* stepsOf({ startVUs, stages }: ValidatedRampingVus, stripe: Stripe): Generator<RampStep, void> {
  for (const step of vuRamp(startVUs, stages)) if (step.vu % stripe.count === stripe.index) yield step;
}

/** Takes each step when it is due; resolves after the last one, when `limit` resolves, or when the run is stopping. */
function followSteps(
  steps: Generator<RampStep, void>,
  share: ScenarioShare,
  limit: Promise<null>,
  take: (step: RampStep) => void,
): Promise<void> {
  const { clock, startMs } = share;
  return new Promise((resolve) => {
    let disarm: () => void = () => undefined;
    let next = steps.next();
    const wake = (): void => {
      for (; next.done !== true && startMs + next.value.atMs <= clock.now(); next = steps.next())
        take(next.value);
      if (next.done === true) resolve();
      else disarm = clock.at(startMs + next.value.atMs, wake);
    };
    wake();
    const end = (): void => {
      disarm();
      resolve();
    };
    share.onStop(end);
    void limit.then(end);
  });
}
