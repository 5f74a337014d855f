import type { RunPlan } from "@bearhug/plan/protocol/plan";

import { accountReceivedBytes, type LoadAccountings } from "./account.ts";

/** A limit of the command line on a whole load. Reaching it ends the load early and is not a failure. */
interface LimitTraits {
  readonly flag: string;
  /** Returns the limit of the plan; null for none. */
  readonly limitOf: (plan: RunPlan) => number | null;
  /** Returns the amount so far, including the warm-up. */
  readonly count: (load: LoadAccountings) => number;
}

/** The names of the limits, as recordings store them. */
export const runLimitNames = ["data"] as const;

export type RunLimit = (typeof runLimitNames)[number];

/** The limits on a load. Watches, verdicts and recordings follow from this table. */
export const runLimits: Readonly<Record<RunLimit, LimitTraits>> = {
  data: { flag: "--max-data", limitOf: ({ maxDataBytes }) => maxDataBytes, count: accountReceivedBytes },
};
