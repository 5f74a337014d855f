import * as z from "zod";

import type { Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { iterationsShape, validIterations, type ValidatedIterations } from "./iterations.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Computed } from "./scenario-options.ts";

/** Closed model: every virtual user runs a fixed number of iterations. */
export interface PerVuIterations<C> extends ScenarioBase<C> {
  readonly executor: "per-vu-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Iterations of each virtual user. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}

/** The validated options of `per-vu-iterations`. */
export interface ValidatedPerVuIterations extends ValidatedIterations {
  readonly executor: "per-vu-iterations";
}

const shape = once(() => ({
  executor: z.literal("per-vu-iterations"),
  ...iterationsShape(),
  ...baseShape(),
}));

export const perVuIterations: ExecutorOptions<ValidatedPerVuIterations> = {
  isOpen: false,
  isTimed: false,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("per-vu-iterations", shape()).transform((options) => ({
      ...validIterations(options),
      executor: options.executor,
    })),
  ),
};
