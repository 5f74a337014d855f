import type { ConstantArrivalRate } from "./constant-arrival-rate.ts";
import type { ConstantVus } from "./constant-vus.ts";
import type { PerVuIterations } from "./per-vu-iterations.ts";
import type { RampingArrivalRate } from "./ramping-arrival-rate.ts";
import type { RampingVus } from "./ramping-vus.ts";
import type { SharedIterations } from "./shared-iterations.ts";

/** One scenario: what its iterations do, and when they start. */
export type Scenario<C> =
  | SharedIterations<C>
  | PerVuIterations<C>
  | ConstantVus<C>
  | RampingVus<C>
  | ConstantArrivalRate<C>
  | RampingArrivalRate<C>;

/**
 * The names of the load models. Closed: virtual users iterate. Open (`…-arrival-rate`): iterations arrive at
 * a rate.
 */
export const executorNames = [
  "shared-iterations",
  "per-vu-iterations",
  "constant-vus",
  "ramping-vus",
  "constant-arrival-rate",
  "ramping-arrival-rate",
] as const;

/**
 * The name of a load model. Closed: virtual users iterate. Open (`…-arrival-rate`): iterations arrive at a
 * rate.
 */
export type ExecutorName = (typeof executorNames)[number];

/** How a load model starts iterations. */
interface ExecutorTraits {
  /** True if iterations start at a rate, however slowly the target responds. */
  readonly isOpen: boolean;
  /** True if it ends after a time, false if it ends after a number of iterations. */
  readonly isTimed: boolean;
}

/** The traits of each load model. */
export const executors: Readonly<Record<ExecutorName, ExecutorTraits>> = {
  "shared-iterations": { isOpen: false, isTimed: false },
  "per-vu-iterations": { isOpen: false, isTimed: false },
  "constant-vus": { isOpen: false, isTimed: true },
  "ramping-vus": { isOpen: false, isTimed: true },
  "constant-arrival-rate": { isOpen: true, isTimed: true },
  "ramping-arrival-rate": { isOpen: true, isTimed: true },
};
