import { AsyncLocalStorage } from "node:async_hooks";

import type { Vu } from "./vu.ts";

/** Follows the code of an iteration, of setup and of teardown: the VU that a plain `fetch` in it belongs to. */
export const currentVu: AsyncLocalStorage<Vu> = new AsyncLocalStorage<Vu>();
