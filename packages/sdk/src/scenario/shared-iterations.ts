import type { Duration } from "../duration/duration.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";

/** Closed model: a fixed number of iterations, which virtual users take from one shared counter. */
export interface SharedIterations<C> extends ScenarioBase<C> {
  readonly executor: "shared-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Number of iterations in total. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}
