import { AsyncLocalStorage } from "node:async_hooks";

import type { Client, Place } from "../clients/client.ts";

/** The page or group around the code that runs. Follows a test's own functions and parallel branches. */
export const currentPlace: AsyncLocalStorage<Place> = new AsyncLocalStorage<Place>();

/** The VU whose iteration, setup or teardown the code that runs belongs to: a plain `fetch` is this VU's. */
export const currentVu: AsyncLocalStorage<CurrentVu> = new AsyncLocalStorage<CurrentVu>();

/** A virtual user, as far as code asks that calls none of its clients by name. */
interface CurrentVu {
  readonly clients: readonly Client[];
}
