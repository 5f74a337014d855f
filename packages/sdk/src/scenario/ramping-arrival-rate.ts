import type { OpenModel } from "./open-model.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";
import type { Stages } from "./stages.ts";

/** Open model: starts iterations at a rate that changes in stages, however slowly the target responds. */
export interface RampingArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "ramping-arrival-rate";
  /** How the rate changes. Targets are iterations per `timeUnit`. The scenario ends with the last stage. */
  readonly stages: Stages | Computed<Stages, C>;
  /** Iterations per `timeUnit` at the start. @default 0 */
  readonly startRate?: number | Computed<number, C>;
}
