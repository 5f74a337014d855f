import type { Visit } from "../visit.ts";

/** Visits of a step, and what its name comes from. */
export interface StepDraft {
  /** How many visits at the beginning are documents: the one that is shown, and redirects to it. 0: no page. */
  readonly documents: number;
  /** "" where the capture's title is another step's. */
  readonly title: string;
  readonly visits: readonly Visit[];
}
