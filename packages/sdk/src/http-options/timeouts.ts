import type { Duration } from "../duration/duration.ts";

/**
 * The timeouts of an exchange. A timeout that you leave out comes from the scenario, else from the test; if
 * neither sets it, the part has no timeout of its own.
 */
export interface Timeouts {
  /** The time for opening a connection: DNS, TCP, proxy and TLS. @default only `whole` applies */
  readonly connect?: Duration;
  /** The time from the end of the request to the first byte of the response. @default only `whole` applies */
  readonly firstByte?: Duration;
  /** The time for the whole exchange, including the wait for a connection. @default "60s" */
  readonly whole?: Duration;
}
