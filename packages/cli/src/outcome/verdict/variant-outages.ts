import { exitCodes } from "../../exit-codes.ts";
import { describeOutage } from "../../format/outage.ts";
import type { Ending, Reason } from "./ending.ts";

/** A variant that was down says nothing of how fast it is: the others only look better beside it. */
export function variantOutages({ variants }: Ending): Reason[] {
  if (variants === null) return [];
  return variants.variants.flatMap((variant) => {
    const message = describeOutage(variant, variants);
    return message === null ? [] : [{ code: exitCodes.thresholdsFailed, message }];
  });
}
