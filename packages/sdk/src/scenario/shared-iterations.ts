import * as z from "zod";

import type { Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { iterationsShape, validIterations, type ValidatedIterations } from "./iterations.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Worked } from "./scenario-options.ts";

/** Closed model: a fixed number of iterations, drawn by virtual users from one shared counter. */
export interface SharedIterations<C> extends ScenarioBase<C> {
  readonly executor: "shared-iterations";
  /** Virtual users. @default 1 */
  readonly vus?: number | Worked<number, C>;
  /** Total iterations. @default 1 */
  readonly iterations?: number | Worked<number, C>;
  /** When to end even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Worked<Duration, C>;
}

/** A fixed number of iterations in all. */
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
