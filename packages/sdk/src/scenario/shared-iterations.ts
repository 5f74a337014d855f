import * as z from "zod";

import type { Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { iterationsShape, validIterations, type ValidatedIterations } from "./iterations.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Computed } from "./scenario-options.ts";

/** Closed model: a fixed number of iterations, which virtual users take from one shared counter. */
export interface SharedIterations<C> extends ScenarioBase<C> {
  readonly executor: "shared-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Number of iterations in total. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}

/** The validated options of `shared-iterations`. */
export interface ValidatedSharedIterations extends ValidatedIterations {
  readonly executor: "shared-iterations";
}

const shape = once(() => ({
  executor: z.literal("shared-iterations"),
  ...iterationsShape(),
  ...baseShape(),
}));

export const sharedIterations: ExecutorOptions<ValidatedSharedIterations> = {
  isOpen: false,
  isTimed: false,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("shared-iterations", shape()).transform((options) => ({
      ...validIterations(options),
      executor: options.executor,
    })),
  ),
};
