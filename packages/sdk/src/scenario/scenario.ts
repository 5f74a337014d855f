import * as z from "zod";

import { chosenSchema } from "../validation/option-schemas.ts";
import { once } from "../validation/once.ts";
import {
  constantArrivalRate,
  type ConstantArrivalRate,
  type ValidatedConstantArrivalRate,
} from "./constant-arrival-rate.ts";
import { constantVus, type ConstantVus, type ValidatedConstantVus } from "./constant-vus.ts";
import { perVuIterations, type PerVuIterations, type ValidatedPerVuIterations } from "./per-vu-iterations.ts";
import {
  rampingArrivalRate,
  type RampingArrivalRate,
  type ValidatedRampingArrivalRate,
} from "./ramping-arrival-rate.ts";
import { rampingVus, type RampingVus, type ValidatedRampingVus } from "./ramping-vus.ts";
import type { ExecutorOptions, OwnOptions } from "./scenario-options.ts";
import {
  sharedIterations,
  type SharedIterations,
  type ValidatedSharedIterations,
} from "./shared-iterations.ts";

/** One scenario: what its iterations do, and when they start. */
export type Scenario<C> =
  | SharedIterations<C>
  | PerVuIterations<C>
  | ConstantVus<C>
  | RampingVus<C>
  | ConstantArrivalRate<C>
  | RampingArrivalRate<C>;

/** A validated scenario. */
export type ValidatedScenario =
  | ValidatedSharedIterations
  | ValidatedPerVuIterations
  | ValidatedConstantVus
  | ValidatedRampingVus
  | ValidatedConstantArrivalRate
  | ValidatedRampingArrivalRate;

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

/** The options and traits of each load model. */
export const executors: Readonly<Record<ExecutorName, ExecutorOptions<ValidatedScenario>>> = {
  "shared-iterations": sharedIterations,
  "per-vu-iterations": perVuIterations,
  "constant-vus": constantVus,
  "ramping-vus": rampingVus,
  "constant-arrival-rate": constantArrivalRate,
  "ramping-arrival-rate": rampingArrivalRate,
};

/** A validated scenario of an executor. */
export type ScenarioOf<Name extends ExecutorName> = Extract<ValidatedScenario, { executor: Name }>;

/** A validated scenario without its name and `http`. */
export type ValidatedScenarioOptions = OwnOptions<ValidatedScenario>;

/** Reads a scenario's options by the schema of its executor. */
export const scenarioSchema: () => z.ZodType<ValidatedScenarioOptions> = once(() => {
  const named = z.object({ executor: z.enum(executorNames) });
  return chosenSchema<ValidatedScenarioOptions>((value) => {
    const { data } = named.safeParse(value);
    return data === undefined ? named.transform(() => z.NEVER) : executors[data.executor].schema();
  });
});
