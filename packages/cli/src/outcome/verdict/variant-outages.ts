import { exitCodes } from "../../exit-codes.ts";
import { describeVariantOutage } from "../../format/outage.ts";
import type { Ending, Reason } from "./ending.ts";

/** Variants that were down: their times say nothing about how fast they are. */
export function variantOutages({ variants }: Ending): Reason[] {
  if (variants === null) return [];
  return variants.variants.flatMap((variant) => {
    const message = describeVariantOutage(variant, variants);
    return message === null ? [] : [{ code: exitCodes.thresholdsFailed, message }];
  });
}
