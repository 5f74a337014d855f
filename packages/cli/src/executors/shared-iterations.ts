import type { ValidatedIterations } from "@bearhug/sdk/internal";

import { placeAmong, stripeAt, stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/**
 * Closed model: VUs draw from one counter over all workers, so that fast ones do more. Shards have no counter in common: of
 * the iterations each has its stripe.
 */
export const sharedIterations: Executor<ValidatedIterations> = async ({ vus, iterations }, share) => {
  const place = placeAmong(share.place, vus);
  if (place === null) return;
  const limit = stripeSize(Math.min(iterations, share.iterationLimit), place.shard);
  const turns = new TurnKeeper(share.clock);
  const draw = (): number | null => {
    const ticket = share.drawTicket(limit);
    return ticket === null ? null : stripeNumber(ticket, place.shard);
  };
  const tickets = {
    hasNext: () => !share.isOver && share.hasTicket(limit),
    next: () => (share.isOver ? null : draw()),
  };
  const stripe = stripeAt(place);
  const driven = Array.from({ length: stripeSize(vus, stripe) }, (_, position) =>
    share.createVu(stripeNumber(position, stripe)),
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
