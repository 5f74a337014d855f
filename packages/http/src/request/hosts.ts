import { hostWithPort } from "@bearhug/plan/http-options/host-destinations";
import type { ReplacedHosts as PlannedHosts } from "@bearhug/plan/protocol/plan";

/** The hosts that a test lists: no other host is ever contacted. */
export class AllowedHosts {
  readonly #hosts: ReadonlySet<string>;

  /** Entries are hosts (`api.example.com`: any port) or hosts with a port (`localhost:8080`). */
  constructor(baseUrl: string | null, allowHosts: readonly string[]) {
    const base = baseUrl === null ? [] : [hostWithPort(new URL(baseUrl))];
    this.#hosts = new Set([...base, ...allowHosts.map((host) => host.toLowerCase())]);
  }

  /** True if the test lists more than one. */
  get isSeveral(): boolean {
    return this.#hosts.size > 1;
  }

  has(url: URL): boolean {
    return this.hasHost(hostWithPort(url));
  }

  /** `host`: in lower case, with its port. */
  hasHost(host: string): boolean {
    return this.#hosts.has(host) || this.#hosts.has(host.slice(0, host.lastIndexOf(":")));
  }
}

/** The hosts that a target replaces: their requests are sent to the target. */
export class MovedHosts {
  readonly #base: AllowedHosts;
  readonly #further: AllowedHosts;
  readonly #targetOrigin: string | null;

  /** The target is the origin of `baseUrl`. `baseUrl` and `hosts` are null if there is none. */
  constructor(baseUrl: string | null, hosts: PlannedHosts | null) {
    this.#base = new AllowedHosts(null, hosts?.base ?? []);
    this.#further = new AllowedHosts(null, hosts?.further ?? []);
    this.#targetOrigin = baseUrl === null || hosts === null ? null : new URL(baseUrl).origin;
  }

  /** Returns the same path and query on the target; the address itself if its host is not replaced. */
  move(url: URL): URL {
    const isMoved = this.#isElsewhere(url) && (this.#base.has(url) || this.#further.has(url));
    if (!isMoved) return url;
    return new URL(`${this.#targetOrigin ?? ""}${url.href.slice(url.origin.length)}`);
  }

  /** Returns the address's host if it is a further host of the site that is replaced; otherwise null. */
  standsFor(url: URL): string | null {
    return this.#isElsewhere(url) && !this.#base.has(url) && this.#further.has(url) ? url.host : null;
  }

  #isElsewhere(url: URL): boolean {
    return this.#targetOrigin !== null && url.origin !== this.#targetOrigin;
  }
}
