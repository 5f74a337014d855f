import * as z from "zod";

import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import { openShape, validOpenModel, type OpenModel, type ValidatedOpenModel } from "./open-model.ts";
import { baseShape, type ExecutorOptions, type ScenarioBase, type Computed } from "./scenario-options.ts";
import { stagesOf, type Stages, type ValidatedStage } from "./stages.ts";

/** Open model: starts iterations at a rate that changes in stages, however slowly the target responds. */
export interface RampingArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "ramping-arrival-rate";
  /** How the rate changes. Targets are iterations per `timeUnit`. The scenario ends with the last stage. */
  readonly stages: Stages | Computed<Stages, C>;
  /** Iterations per `timeUnit` at the start. @default 0 */
  readonly startRate?: number | Computed<number, C>;
}

/** The validated options of `ramping-arrival-rate`. */
export interface ValidatedRampingArrivalRate extends ValidatedOpenModel {
  readonly executor: "ramping-arrival-rate";
  /** Iterations to start per `timeUnitMs`, at the start. */
  readonly startRate: number;
  readonly stages: readonly ValidatedStage[];
}

const shape = once(() => ({
  executor: z.literal("ramping-arrival-rate"),
  stages: stagesOf(z.number().min(0)),
  startRate: z.number().min(0).default(0),
  ...openShape(),
  ...baseShape(),
}));

export const rampingArrivalRate: ExecutorOptions<ValidatedRampingArrivalRate> = {
  isOpen: true,
  isTimed: true,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("ramping-arrival-rate", shape()).transform((options) => ({
      ...validOpenModel(options),
      executor: options.executor,
      stages: options.stages,
      startRate: options.startRate,
    })),
  ),
};
