import type { Duration } from "../duration/duration.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";

/** Closed model: every virtual user runs a fixed number of iterations. */
export interface PerVuIterations<C> extends ScenarioBase<C> {
  readonly executor: "per-vu-iterations";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** Iterations of each virtual user. @default 1 */
  readonly iterations?: number | Computed<number, C>;
  /** Time after which the scenario ends even if iterations are left. @default "10m" */
  readonly maxDuration?: Duration | Computed<Duration, C>;
}
