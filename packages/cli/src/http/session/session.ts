import type { Client, Place, VirtualUser } from "../../clients/client.ts";
import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { BodyShare } from "../exchange/body-share.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { InFlight } from "./in-flight.ts";
import type { Visitor } from "./visitor.ts";

/** The state that one VU carries from request to request. */
export interface Session {
  readonly vu: VirtualUser;
  readonly pool: ConnectionPool;
  readonly visitor: Visitor;
  /** The bodies that it keeps. */
  readonly bodies: BodyShare;
  /** Requests on their way, which the hard stop interrupts. */
  readonly inFlight: InFlight;
  /** Counts and records requests from a place in a scenario. */
  environmentAt(place: Place): HttpEnvironment;
}

/** The HTTP session among a virtual user's clients; null without one. */
export function sessionAmong(clients: readonly Client[]): Session | null {
  return clients.find(isSession) ?? null;
}

function isSession(client: Client): client is Client & Session {
  return "environmentAt" in client;
}
