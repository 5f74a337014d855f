import type { OnReadOpts, Socket } from "node:net";

import type { ConnectionInfo } from "@bearhug/sdk";
import type { OpeningPhase } from "@bearhug/sdk/internal";

import type { TlsSessions } from "./tls-sessions.ts";
import type { WireCounters } from "./wire-counters.ts";

/** The durations of the parts of opening a connection, in ms. */
export type ConnectPhases = Record<OpeningPhase, number>;

/** The far end of an open connection. */
export type Peer = Omit<ConnectionInfo, "isReused">;

/** Options of opening one connection. */
export interface OpeningOptions {
  /** Keeps its TLS sessions for resumption; null: they are not kept. */
  readonly sessions: TlsSessions | null;
  /** The shared memory that the socket reads into, unless it needs a tunnel; null if it uses its own. */
  readonly reader: OnReadOpts | null;
}

/** A connection that is being opened, and its properties once it is open. */
export interface OpeningConnection {
  readonly phases: ConnectPhases;
  /** The current phase, for the error if it fails. */
  readonly phase: keyof ConnectPhases;
  /** The dialled socket, TCP or a TLS socket that dials by itself; null until it is connected. */
  readonly raw: Socket | null;
  /** Null until it is connected. */
  readonly wire: WireCounters | null;
  /** Null until it is open. */
  readonly peer: Peer | null;
  /** The protocol that TLS negotiated; null without TLS, or if the server chose none. */
  readonly alpn: "h2" | "http/1.1" | null;
  /** True if it reads into `reader`. */
  readonly isShared: boolean;
  /** The address of the proxy while it is dialled or opens a tunnel, for errors; otherwise null. */
  readonly waitsForProxy: string | null;
  /** Cancels the opening at any point and closes everything. Has no effect once `done` was called. */
  cancel(): void;
}

/** Called with an error, or with the result. */
export type OnOpened<T> = (...result: [error: Error, value: null] | [error: null, value: T]) => void;
