/** The hosts that a test names: nothing else is ever contacted. */
export class AllowedHosts {
  readonly #hosts: ReadonlySet<string>;

  /** Entries are hosts (`api.example.com`: any port) or hosts with a port (`localhost:8080`). */
  constructor(baseUrl: string | null, allowHosts: readonly string[]) {
    const base = baseUrl === null ? [] : [hostWithPort(new URL(baseUrl))];
    this.#hosts = new Set([...base, ...allowHosts.map((host) => host.toLowerCase())]);
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
