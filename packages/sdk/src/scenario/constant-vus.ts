import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import {
  atLeastOne,
  baseShape,
  validBase,
  type ExecutorOptions,
  type ScenarioBase,
  type ValidatedScenarioBase,
  type Computed,
} from "./scenario-options.ts";

/** Closed model: a fixed number of virtual users iterate for a fixed time. */
export interface ConstantVus<C> extends ScenarioBase<C> {
  readonly executor: "constant-vus";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}

/** The validated options of `constant-vus`. */
export interface ValidatedConstantVus extends ValidatedScenarioBase {
  readonly executor: "constant-vus";
  readonly vus: number;
  readonly durationMs: number;
}

const shape = once(() => ({
  executor: z.literal("constant-vus"),
  vus: atLeastOne().default(1),
  duration: durationSchema(),
  ...baseShape(),
}));

export const constantVus: ExecutorOptions<ValidatedConstantVus> = {
  isOpen: false,
  isTimed: true,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("constant-vus", shape()).transform((options) => ({
      ...validBase(options),
      executor: options.executor,
      vus: options.vus,
      durationMs: options.duration,
    })),
  ),
};
