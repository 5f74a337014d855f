import { AsyncLocalStorage } from "node:async_hooks";

import type { Scope } from "../metrics/scope.ts";

/** Where in a scenario code runs: the tags in force, and the page that counts the bytes. */
export interface Place {
  readonly scope: Scope;
  readonly page: PageVisit | null;
}

/** One visit to a page. */
export interface PageVisit {
  bytesReceived: number;
}

/** Follows a test's own functions and parallel branches; entered by `page` and `group` alone. */
export const places: AsyncLocalStorage<Place> = new AsyncLocalStorage<Place>();
