import type { Duration } from "../duration/duration.ts";
import type { Computed } from "./scenario-options.ts";

export const arrivalKinds = ["uniform", "poisson"] as const;
export const busyActions = ["drop", "queue"] as const;

/** Options of both open models. */
export interface OpenModel<C> {
  /** The period that rates count in. @default "1s" */
  readonly timeUnit?: Duration | Computed<Duration, C>;
  /** Virtual users to create before the start; others are created when needed. @default 0 */
  readonly preAllocatedVUs?: number | Computed<number, C>;
  /** Maximum number of virtual users. @default 10_000 */
  readonly maxVUs?: number | Computed<number, C>;
  /**
   * `"uniform"` spreads iterations evenly. `"poisson"` starts them at random times, as independent users
   * arrive; the seed reproduces the times. @default "uniform"
   */
  readonly arrivals?: (typeof arrivalKinds)[number] | Computed<(typeof arrivalKinds)[number], C>;
  /**
   * The action if an iteration is due while all virtual users are busy: `"drop"` never starts it, `"queue"`
   * starts it once one is free. @default "drop"
   */
  readonly onBusy?: (typeof busyActions)[number] | Computed<(typeof busyActions)[number], C>;
}
