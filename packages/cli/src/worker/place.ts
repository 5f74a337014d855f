import { AsyncLocalStorage } from "node:async_hooks";

import type { SessionPlace } from "../http/session/session.ts";

/** Follows a test's own functions and parallel branches; entered by `page` and `group` alone. */
export const places: AsyncLocalStorage<SessionPlace> = new AsyncLocalStorage<SessionPlace>();
