import type { ValidatedConstantVus } from "@bearhug/sdk/internal";

import { placeAmong, stripeAt, stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: a fixed number of VUs, each starting its next iteration when the last one has ended. */
export const constantVus: Executor<ValidatedConstantVus> = async ({ vus }, share) => {
  const place = placeAmong(share.place, vus);
  if (place === null) return;
  const stripe = stripeAt(place);
  let started = 0;
  const hasRow = (): boolean => {
    const isLeft = stripeNumber(started, stripe) < share.iterationLimit;
    if (!isLeft) share.reachedLimit();
    return isLeft;
  };
  const turns = new TurnKeeper(share.clock);
  const iterations = {
    hasNext: () => !share.isOver && hasRow(),
    next: () => (share.isOver || !hasRow() ? null : stripeNumber(started++, stripe)),
  };
  const loops = Array.from({ length: stripeSize(vus, stripe) }, (_, position) =>
    loopVu(share.createVu(stripeNumber(position, stripe)), turns, iterations),
  );
  await Promise.all(loops);
};
