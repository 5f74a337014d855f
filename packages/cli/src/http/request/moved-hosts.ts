import type { MovedHosts as PlannedHosts } from "../../protocol/plan.ts";
import { AllowedHosts } from "./allowed-hosts.ts";

/** The hosts that a target stands for: what is asked of them is asked of the target. */
export class MovedHosts {
  readonly #base: AllowedHosts;
  readonly #further: AllowedHosts;
  readonly #targetOrigin: string | null;

  /** The target is the origin of `baseUrl`; null, as for `hosts`, where there is none. */
  constructor(baseUrl: string | null, hosts: PlannedHosts | null) {
    this.#base = new AllowedHosts(null, hosts?.base ?? []);
    this.#further = new AllowedHosts(null, hosts?.further ?? []);
    this.#targetOrigin = baseUrl === null || hosts === null ? null : new URL(baseUrl).origin;
  }

  /** The same path and query on the target; the address itself where its host is not moved. */
  move(url: URL): URL {
    const isMoved = this.#isElsewhere(url) && (this.#base.has(url) || this.#further.has(url));
    if (!isMoved) return url;
    return new URL(`${this.#targetOrigin ?? ""}${url.href.slice(url.origin.length)}`);
  }

  /** The further host of the site that the target stands for in an address; null of all others. */
  standsFor(url: URL): string | null {
    return this.#isElsewhere(url) && !this.#base.has(url) && this.#further.has(url) ? url.host : null;
  }

  #isElsewhere(url: URL): boolean {
    return this.#targetOrigin !== null && url.origin !== this.#targetOrigin;
  }
}
