import type { RunPlan } from "@bearhug/plan/protocol/plan";

import { accountReceivedBytes, type LoadAccountings } from "./account.ts";

/** A limit of the command line on a whole load, which ends the load early and is no fault. */
interface LimitTraits {
  readonly flag: string;
  /** The most that the plan allows; null for no limit. */
  readonly most: (plan: RunPlan) => number | null;
  /** The amount so far, the warm-up included. */
  readonly count: (load: LoadAccountings) => number;
}

/** The names of the limits, as recordings keep them. */
export const runLimitNames = ["data"] as const;

export type RunLimit = (typeof runLimitNames)[number];

/** The limits on a load. Watches, verdicts and recordings follow from this table. */
export const runLimits: Readonly<Record<RunLimit, LimitTraits>> = {
  data: { flag: "--max-data", most: ({ maxDataBytes }) => maxDataBytes, count: accountReceivedBytes },
};
