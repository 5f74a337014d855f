import type { SweepResult, TrialLoad } from "@bearhug/sdk/result";
import { formatNumber, formatRate } from "@bearhug/text/number";

/** Formats a load in its unit: 1 VU, 25 connections, 500/s. */
export function formatLoad(load: number, unit: SweepResult["loadUnit"]): string {
  if (unit === "rate") return formatRate(load);
  const name = unit === "vus" ? "VU" : "connection";
  return `${formatNumber(load)} ${name}${load === 1 ? "" : "s"}`;
}

/** Returns the load of this many virtual users, or of this rate per second. */
export function loadOf(amount: number, unit: SweepResult["loadUnit"]): TrialLoad {
  return unit === "rate" ? { kind: "rate", perSecond: amount } : { kind: "vus", vus: amount };
}

/** Returns the amount of a load: its number of virtual users, or its rate per second. */
export function amountOf(load: TrialLoad): number {
  return load.kind === "vus" ? load.vus : load.perSecond;
}
