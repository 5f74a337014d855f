import type { Duration } from "../duration/duration.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";
import type { Stages } from "./stages.ts";

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
