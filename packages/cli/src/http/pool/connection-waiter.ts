import type { OpeningConnection } from "../../net/opening-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** A request that may have to wait for a connection. */
export interface ConnectionWaiter {
  /** Whose request it is: where connections are shared, nobody takes more than a browser would. */
  readonly owner: object;
  /** A connection is being opened for it. */
  onOpening(opening: OpeningConnection): void;
  /** A place on a connection is the waiter's own until it is released. */
  onConnection(transport: Transport): void;
  onConnectFailed(error: Error): void;
}
