import type { Duration } from "../duration/duration.ts";

export const dnsPolicies = ["preferIPv4", "preferIPv6", "onlyIPv4", "onlyIPv6", "any"] as const;
export const dnsSelections = ["first", "roundRobin", "random"] as const;

/** How host names are resolved. */
export interface DnsOptions {
  /**
   * How long new connections use the same DNS answer; 0 resolves the name for each connection. Open
   * connections keep their address until they are closed: see `maxConnectionAge`. @default "60s"
   */
  readonly ttl?: Duration;
  /** Which address family to prefer, or to use alone. @default "preferIPv4" */
  readonly policy?: (typeof dnsPolicies)[number];
  /** Which of several addresses to connect to. @default "roundRobin" */
  readonly select?: (typeof dnsSelections)[number];
  /**
   * Name servers to query instead of the system's resolver, such as `"10.0.0.2"` or `"127.0.0.1:5353"`.
   * @default the system's resolver
   */
  readonly servers?: readonly string[];
}
