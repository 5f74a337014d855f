import type { ValidatedConstantVus } from "@bearhug/sdk/internal";

import { stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: a fixed number of VUs, each starting its next iteration when the last one has ended. */
export const constantVus: Executor<ValidatedConstantVus> = async ({ vus }, share) => {
  let started = 0;
  const hasRow = (): boolean => {
    const isLeft = stripeNumber(started, share.stripe) < share.iterationLimit;
    if (!isLeft) share.reachedLimit();
    return isLeft;
  };
  const turns = new TurnKeeper(share.clock);
  const iterations = {
    hasNext: () => !share.isOver && hasRow(),
    next: () => (share.isOver || !hasRow() ? null : stripeNumber(started++, share.stripe)),
  };
  const loops = Array.from({ length: stripeSize(vus, share.stripe) }, (_, position) =>
    loopVu(share.createVu(stripeNumber(position, share.stripe)), turns, iterations),
  );
  await Promise.all(loops);
};
