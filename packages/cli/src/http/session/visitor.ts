import type { ValidatedHttp } from "@bearhug/sdk/internal";

import type { Clock } from "../../pacing/clock.ts";
import { BrowserCache } from "./browser-cache.ts";
import type { CachedBodies } from "./cached-bodies.ts";
import { Cookies } from "./cookies.ts";

/** One VU's memory of the sites that it visits, as a browser has it. */
export class Visitor {
  readonly cookies: Cookies | null;
  readonly cache: BrowserCache | null;
  readonly #isNewEachIteration: boolean;

  constructor({ cookies, cache }: ValidatedHttp, clock: Clock, bodies: CachedBodies) {
    this.cookies = cookies === "off" ? null : new Cookies(clock);
    this.cache = cache === "browser" ? new BrowserCache(bodies) : null;
    this.#isNewEachIteration = cookies === "iteration";
  }

  /** Unless the options say otherwise, each iteration is somebody who was never here before. */
  startIteration(): void {
    if (!this.#isNewEachIteration) return;
    this.cookies?.clear();
    this.cache?.clear();
  }
}
