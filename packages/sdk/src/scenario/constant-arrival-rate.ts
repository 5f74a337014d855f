import type { Duration } from "../duration/duration.ts";
import type { OpenModel } from "./open-model.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";

/** Open model: starts iterations on a fixed schedule, however slowly the target responds. */
export interface ConstantArrivalRate<C> extends ScenarioBase<C>, OpenModel<C> {
  readonly executor: "constant-arrival-rate";
  /** Iterations to start per `timeUnit`, across all workers. Must be greater than 0. */
  readonly rate: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}
