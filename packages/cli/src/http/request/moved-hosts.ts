import { AllowedHosts } from "./allowed-hosts.ts";

/** The hosts that a target stands for: what is asked of them is asked of the target. */
export class MovedHosts {
  readonly #hosts: AllowedHosts;
  readonly #targetOrigin: string | null;

  /** Entries as those of `AllowedHosts`; the target is the origin of `baseUrl`. */
  constructor(baseUrl: string | null, movedHosts: readonly string[]) {
    this.#hosts = new AllowedHosts(null, movedHosts);
    this.#targetOrigin = baseUrl === null || movedHosts.length === 0 ? null : new URL(baseUrl).origin;
  }

  /** The same path and query on the target; the address itself where its host is not moved. */
  move(url: URL): URL {
    if (this.#targetOrigin === null || url.origin === this.#targetOrigin || !this.#hosts.has(url)) return url;
    return new URL(this.#targetOrigin + url.pathname + url.search + url.hash);
  }
}
