import { AsyncLocalStorage } from "node:async_hooks";

import type { Client, Place } from "../clients/client.ts";

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

/** The VU whose iteration, setup or teardown the code that runs belongs to: a plain `fetch` is this VU's. */
export const currentVu: AsyncLocalStorage<CurrentVu> = new AsyncLocalStorage<CurrentVu>();

/** A virtual user, as far as code asks that calls none of its clients by name. */
interface CurrentVu {
  readonly clients: readonly Client[];
}
