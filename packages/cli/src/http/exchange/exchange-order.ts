import type { Clock } from "../../pacing/clock.ts";
import type { RequestRow } from "../../protocol/shared-accounting.ts";
import type { Mask } from "../../secret-mask.ts";
import type { ConnectionPool } from "../pool/connection-pool.ts";
import type { WireRequest } from "../transport/transport.ts";
import type { Endpoint } from "../request/endpoint.ts";
import type { ExchangeLimits } from "../request/request-limits.ts";
import type { BodyShare } from "./body-share.ts";
import type { Deadlines } from "./deadlines.ts";

/** A request, and how it is sent. */
export interface ExchangeOrder {
  readonly endpoint: Endpoint;
  readonly wire: WireRequest;
  readonly row: RequestRow;
  readonly limits: ExchangeLimits;
  /** How late an open model started the iteration, for its first request. */
  readonly latenessMs: number | null;
}

/** The surroundings of a request: the same for all of a VU's. */
export interface ExchangeDependencies {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly pool: ConnectionPool;
  /** For what is said of failures. */
  readonly mask: Mask;
  /** Whose request it is, for pools that are shared. */
  readonly owner: object;
  /** Counts the bytes of kept bodies. */
  readonly bodies: BodyShare;
}
