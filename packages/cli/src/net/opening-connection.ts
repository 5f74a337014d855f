import type { OnReadOpts, Socket } from "node:net";

import type { ConnectionInfo } from "@bearhug/sdk";

import type { TlsSessions } from "./tls-sessions.ts";

/** How long the parts of opening a connection took, in ms. */
export interface ConnectPhases {
  lookingUp: number;
  /** TCP, and a proxy's tunnel. */
  connecting: number;
  tlsHandshaking: number;
}

/** The far end of an open connection. */
export type Peer = Omit<ConnectionInfo, "isReused">;

/** What one connection is opened with. */
export interface OpeningOptions {
  /** Where its TLS sessions are kept to be resumed; null: nowhere. */
  readonly sessions: TlsSessions | null;
  /** Into whose memory it reads if HTTP/1.1 is spoken on the TCP socket itself; null: its own. */
  readonly reader: OnReadOpts | null;
}

/** A connection being opened, and what is known of it when it is. */
export interface OpeningConnection {
  readonly phases: ConnectPhases;
  /** The phase in which it stands, for the error when it fails. */
  readonly phase: keyof ConnectPhases;
  /** Once it is connected: the TCP socket, whose counters are wire bytes. */
  readonly raw: Socket | null;
  /** Once it is open. */
  readonly peer: Peer | null;
  /** What TLS negotiated; null without TLS, or where the server has no opinion. */
  readonly alpn: "h2" | "http/1.1" | null;
  /** Whether it reads into `reader`. */
  readonly isShared: boolean;
  /** The address of the proxy that is being dialled or asked for a tunnel, for the error when time is up; else null. */
  readonly waitsForProxy: string | null;
  /** Gives it up and leaves nothing open, at whatever point; once `done` was called, nothing happens. */
  cancel(): void;
}

/** Called with an error, or with what was wanted. */
export type Outcome<T> = (...result: [error: Error, value: null] | [error: null, value: T]) => void;
