import type { ValidatedIterations } from "@bearhug/sdk/internal";

import { stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: VUs draw from one counter over all workers, so that fast ones do more. */
export const sharedIterations: Executor<ValidatedIterations> = async ({ vus, iterations }, share) => {
  const limit = Math.min(iterations, share.iterationLimit);
  const turns = new TurnKeeper(share.clock);
  const tickets = {
    hasNext: () => !share.isOver && share.hasTicket(limit),
    next: () => (share.isOver ? null : share.drawTicket(limit)),
  };
  const driven = Array.from({ length: stripeSize(vus, share.stripe) }, (_, position) =>
    share.createVu(stripeNumber(position, share.stripe)),
  );
  const loops = driven.map(async (vu) => {
    await loopVu(vu, turns, tickets);
    // No ticket is left: those that rest have nothing to wait for.
    for (const other of driven) other.wake();
  });
  await Promise.all(loops);
  // Its time ran out before its iterations did.
  if (share.isOver && !share.isStopped) share.drop(share.drawRemainingTickets(limit), null, "time");
};
