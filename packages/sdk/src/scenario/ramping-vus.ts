import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import {
  baseShape,
  secondMs,
  validBase,
  zeroOrMore,
  type ExecutorOptions,
  type ScenarioBase,
  type ValidatedScenarioBase,
  type Computed,
} from "./scenario-options.ts";
import { stagesOf, type Stages, type ValidatedStage } from "./stages.ts";

/** Closed model: the number of virtual users grows and shrinks in stages. */
export interface RampingVus<C> extends ScenarioBase<C> {
  readonly executor: "ramping-vus";
  /** How the number of virtual users changes. The scenario ends with the last stage. */
  readonly stages: Stages | Computed<Stages, C>;
  /** Virtual users at the start. @default 1 */
  readonly startVUs?: number | Computed<number, C>;
  /** How long an iteration may continue when its virtual user is ramped down. @default "30s" */
  readonly gracefulRampDown?: Duration | Computed<Duration, C>;
}

/** The validated options of `ramping-vus`. */
export interface ValidatedRampingVus extends ValidatedScenarioBase {
  readonly executor: "ramping-vus";
  readonly startVUs: number;
  readonly stages: readonly ValidatedStage[];
  readonly gracefulRampDownMs: number;
}

const shape = once(() => ({
  executor: z.literal("ramping-vus"),
  stages: stagesOf(zeroOrMore()),
  startVUs: zeroOrMore().default(1),
  gracefulRampDown: durationSchema(0).default(30 * secondMs),
  ...baseShape(),
}));

export const rampingVus: ExecutorOptions<ValidatedRampingVus> = {
  isOpen: false,
  isTimed: true,
  optionNames: () => Object.keys(shape()),
  schema: once(() =>
    optionsObject("ramping-vus", shape()).transform((options) => ({
      ...validBase(options),
      executor: options.executor,
      stages: options.stages,
      startVUs: options.startVUs,
      gracefulRampDownMs: options.gracefulRampDown,
    })),
  ),
};
