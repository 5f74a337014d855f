import type { ExemplarsResult } from "@bearhug/sdk/internal";

import { FailedExchanges } from "./failed-exchanges.ts";
import { PageExemplars } from "./page-exemplars.ts";

/** The exemplars of one worker. */
export class ExemplarLog {
  readonly pages: PageExemplars = new PageExemplars();
  readonly failures: FailedExchanges = new FailedExchanges();

  /** All that are new since the last drain; null for none. */
  drain(runStartedAtMs: number): ExemplarsResult | null {
    const pages = this.pages.drain(runStartedAtMs);
    const errors = this.failures.drain();
    return pages.length === 0 && errors.length === 0 ? null : { pages, errors };
  }
}
