import type { ValidatedTimeouts } from "@bearhug/sdk/internal";

import type { Clock } from "../../pacing/clock.ts";
import type { RequestRow } from "../../protocol/shared-accounting.ts";
import type { Mask } from "../../secret-mask.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import type { WireRequest } from "../connection/transport.ts";
import type { Endpoint } from "../request/endpoint.ts";
import type { BodyShare } from "./body-budget.ts";
import type { Deadlines } from "./deadlines.ts";

/** How long a request may take, and what becomes of the body of its response. */
export interface ExchangeLimits {
  readonly timeouts: ValidatedTimeouts;
  readonly discardsBody: boolean;
  readonly maxBodyBytes: number;
  /** The test's own way to give up. */
  readonly signal: AbortSignal | null;
}

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
