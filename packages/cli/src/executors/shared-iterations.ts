import type { ValidatedIterations } from "@bearhug/sdk";

import { stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { loopVu } from "./looping-vu.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: VUs draw from one counter over all workers, so that fast ones do more. */
export const sharedIterations: Executor<ValidatedIterations> = async ({ vus, iterations }, share) => {
  const next = (): number | null => (share.isOver ? null : share.drawTicket(iterations));
  const turns = new TurnKeeper(share.clock);
  const loops = Array.from({ length: stripeSize(vus, share.stripe) }, (_, position) =>
    loopVu(share.createVu(stripeNumber(position, share.stripe)), turns, next),
  );
  await Promise.all(loops);
  // Its time ran out before its iterations did.
  if (share.isOver && !share.isStopped) share.drop(share.drawRemainingTickets(iterations), null, "time");
};
