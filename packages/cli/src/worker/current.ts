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

/** Runs code as a VU's: its argument is the second one. */
export type RunAsVu = <Argument, Result>(body: (given: Argument) => Result, given: Argument) => Result;

/** Makes what runs code as a VU's, again and again: entering the storage anew would copy what it holds for each iteration. */
export function asVu(vu: CurrentVu): RunAsVu {
  return currentVu.run(vu, () => AsyncLocalStorage.snapshot());
}

/** A virtual user, as far as code asks that calls none of its clients by name. */
interface CurrentVu {
  readonly clients: readonly Client[];
}
