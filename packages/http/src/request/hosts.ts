import type { MovedHostLists as PlannedHosts } from "@bearhug/plan/protocol/plan";

/** The hosts that a test names: nothing else is ever contacted. */
export class AllowedHosts {
  readonly #hosts: ReadonlySet<string>;

  /** Entries are hosts (`api.example.com`: any port) or hosts with a port (`localhost:8080`). */
  constructor(baseUrl: string | null, allowHosts: readonly string[]) {
    const base = baseUrl === null ? [] : [hostWithPort(new URL(baseUrl))];
    this.#hosts = new Set([...base, ...allowHosts.map((host) => host.toLowerCase())]);
  }

  /** True if the test names more than one. */
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

/** The host of an address with its port, also where that is the scheme's own. */
export function hostWithPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
}

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
