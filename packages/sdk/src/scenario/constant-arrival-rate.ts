import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { openShape, validOpenModel, type OpenModel, type ValidatedOpenModel } from "./open-model.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Computed } from "./scenario-options.ts";

/** Open model: starts iterations on a fixed schedule, however slowly the target responds. */
export interface ConstantArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnit`, across all workers. Must be greater than 0. */
  readonly rate: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}

/** The validated options of `constant-arrival-rate`. */
export interface ValidatedConstantArrivalRate extends ValidatedOpenModel {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnitMs`. */
  readonly rate: number;
  readonly durationMs: number;
}

const shape = once(() => ({
  executor: z.literal("constant-arrival-rate"),
  rate: z.number().gt(0),
  duration: durationSchema(),
  ...openShape(),
  ...baseShape(),
}));

export const constantArrivalRate: ExecutorOptions<ValidatedConstantArrivalRate> = {
  isOpen: true,
  isTimed: true,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("constant-arrival-rate", shape()).transform((options) => ({
      ...validOpenModel(options),
      executor: options.executor,
      rate: options.rate,
      durationMs: options.duration,
    })),
  ),
};
