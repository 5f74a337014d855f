import type { Duration } from "../duration/duration.ts";
import type { Computed, ScenarioBase } from "./scenario-options.ts";

/** Closed model: a fixed number of virtual users iterate for a fixed time. */
export interface ConstantVus<C> extends ScenarioBase<C> {
  readonly executor: "constant-vus";
  /** Number of virtual users. @default 1 */
  readonly vus?: number | Computed<number, C>;
  /** How long to keep starting iterations. Running ones may then finish within `gracefulStop`. */
  readonly duration: Duration | Computed<Duration, C>;
}
