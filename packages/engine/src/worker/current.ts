import { AsyncLocalStorage } from "node:async_hooks";

import type { Client, Place } from "@bearhug/plan/clients/client";

const currentPlace = new AsyncLocalStorage<Place>();
let hasPlaces = false;

/** The page or group around the code that runs. Follows a test's own functions and parallel branches. */
export function placeHere(): Place | undefined {
  // Most tests have none: nothing need be looked up for each request and check.
  return hasPlaces ? currentPlace.getStore() : undefined;
}

/** Runs the body of a page or group. */
export function runAt<R>(place: Place, body: () => R): R {
  hasPlaces = true;
  return currentPlace.run(place, body);
}

/** The owner of the running code: an iteration, setup or teardown. A plain `fetch` in it belongs to its VU. */
export const current: AsyncLocalStorage<Current> = new AsyncLocalStorage<Current>();

/** The owner of running code, as far as code asks that knows it by no other way. */
export interface Current {
  readonly clients: readonly Client[];
  /** Takes an error of its code that nobody awaited or caught; absent where that ends the worker. */
  strayed?(stray: Stray): void;
  /** Takes the place of a timer of its code that had not fired when the run was over; absent where nobody asks. */
  leftTimer?(at: Error): void;
  /** Takes an error of bearhug's own that its code is about to get, and may catch. */
  faulted?(fault: Error): void;
}

/** An error that nobody awaited or caught. */
export interface Stray {
  readonly code: "UNHANDLED_REJECTION" | "UNCAUGHT_EXCEPTION";
  readonly error: unknown;
}
