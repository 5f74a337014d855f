import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { BodyShare } from "../exchange/body-budget.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { SamplePlace } from "../exchange/sample-place.ts";
import type { Visitor } from "./visitor.ts";

/** What one VU carries from request to request. */
export interface Session {
  readonly pool: ConnectionPool;
  readonly visitor: Visitor;
  /** The bodies that it keeps. */
  readonly bodies: BodyShare;
  /** Requests on their way, which the hard stop interrupts. */
  readonly inFlight: Set<Exchange>;
  /** Where in the scenario the test calls. */
  place(): SessionPlace;
  /** After the hard stop nothing more is sent. */
  readonly isStopped: boolean;
  /** The iteration's own code is over: responses that only its code can read are not waited for. */
  readonly isLeaving: boolean;
  /** How late the iteration started, told to its first request only; null in closed models. */
  takeLateness(): number | null;
  /** A request had a connection. */
  onConnected(): void;
  /** A connection for a request did not open. */
  onConnectFailed(): void;
  /** The test called; the iteration goes on until the call has ended, redirects and repeats included. */
  onCall(): void;
  onCallEnded(): void;
}

/** Where in a scenario code runs: its requests count there, and their samples go there. */
export interface SessionPlace extends SamplePlace {
  readonly environment: HttpEnvironment;
}
