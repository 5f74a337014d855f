import * as z from "zod";

import type { Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { iterationsShape, validIterations, type ValidatedIterations } from "./iterations.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Worked } from "./scenario-options.ts";

/** Closed model: every virtual user runs a fixed number of iterations. */
export interface PerVuIterations<C> extends ScenarioBase<C> {
  readonly executor: "per-vu-iterations";
  /** Virtual users. @default 1 */
  readonly vus?: number | Worked<number, C>;
  /** Iterations of each virtual user. @default 1 */
  readonly iterations?: number | Worked<number, C>;
  /** When to end even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Worked<Duration, C>;
}

/** A fixed number of iterations of each virtual user. */
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
