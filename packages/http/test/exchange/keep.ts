import { BodyShare, KeptBody } from "../../src/exchange/kept-body.ts";
import { BodyBudget } from "../../src/exchange/last-bodies.ts";
import { LastBodies } from "../../src/exchange/last-bodies.ts";
import type { ReceivedBody } from "../../src/response/shared-body.ts";
import { SharedBody } from "../../src/response/shared-body.ts";

/** Makes the share of one VU's iteration. */
export function shareOf(budget: BodyBudget, last = new LastBodies(budget)): BodyShare {
  return new BodyShare(budget, last);
}

export const wideBudget = (): BodyBudget => new BodyBudget(() => undefined);

/** Makes a body of an endpoint without earlier requests. */
export const newBody = (share = shareOf(wideBudget())): KeptBody => new KeptBody(share, {});

export function bytesOf(received: ReceivedBody | null): Buffer {
  if (received === null) throw new Error("the body was not kept");
  return received instanceof SharedBody ? received.wire : Buffer.concat(received);
}
