import type { ClosingSockets } from "../../net/closing-sockets.ts";
import type { SharedReader } from "../../net/shared-reader.ts";
import type { OpenConnection } from "../transport/open-connection.ts";

/** A connection on which both sides speak HTTP/2: TLS that negotiated `h2`, or a server known to speak it. */
export interface Http2Connection extends OpenConnection {
  /** Streams at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** Takes the connection when it has carried its last request. */
  readonly closing: ClosingSockets;
  /** Receives the bytes in memory that all connections share; null if the socket has memory of its own. */
  readonly reader: SharedReader | null;
}
