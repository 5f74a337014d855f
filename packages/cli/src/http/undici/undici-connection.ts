import type { OpenConnection } from "../transport/open-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** An open connection for undici to speak on. */
export interface UndiciConnection extends OpenConnection {
  /** The protocol that the connection negotiated. */
  readonly protocol: Transport["protocol"];
  /** A proxy that forwards: requests name the address in full, and who asks. */
  readonly proxy: { readonly authorization: string | null } | null;
  /** HTTP/2: streams at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** HTTP/1.1: how many requests may be on their way at once. */
  readonly pipelining: number;
  /** When a response last began on any connection of the network, by the clock. */
  readonly lastRead: { atMs: number };
}

/** Has undici speak HTTP on an open connection. */
export type SpeakUndici = (connection: UndiciConnection) => Transport;
