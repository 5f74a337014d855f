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
  /** The memory that the socket reads into if no tunnel comes first; null: memory of its own. */
  readonly reader: OnReadOpts | null;
}

/** A connection being opened, and what is known of it when it is. */
export interface OpeningConnection {
  readonly phases: ConnectPhases;
  /** The phase in which it stands, for the error when it fails. */
  readonly phase: keyof ConnectPhases;
  /** Once it is connected: the socket that was dialled, of TCP or of TLS that dials by itself. */
  readonly raw: Socket | null;
  /** Once it is connected. */
  readonly wire: WireCounters | null;
  /** Once it is open. */
  readonly peer: Peer | null;
  /** The protocol that TLS negotiated; null without TLS, or if the server chose none. */
  readonly alpn: "h2" | "http/1.1" | null;
  /** True if it reads into `reader`. */
  readonly isShared: boolean;
  /** The address of the proxy that is being dialled or asked for a tunnel, for the error when time is up; else null. */
  readonly waitsForProxy: string | null;
  /** Gives it up and leaves nothing open, at whatever point; once `done` was called, nothing happens. */
  cancel(): void;
}

/** Called with an error, or with what was wanted. */
export type OnOpened<T> = (...result: [error: Error, value: null] | [error: null, value: T]) => void;
