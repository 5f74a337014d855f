import type { ValidatedTimeouts } from "@bearhug/sdk";

import type { RequestRow } from "../../protocol/shared-accounting.ts";
import type { WireRequest } from "../connection/transport.ts";
import type { Endpoint } from "../request/endpoint.ts";

/** How long a request may take, and what becomes of the body of its response. */
export interface ExchangeLimits {
  readonly timeouts: ValidatedTimeouts;
  readonly discardsBody: boolean;
  readonly maxBodyBytes: number;
  /** The test's own way to give up. */
  readonly signal: AbortSignal | null;
}

/** What is asked, and how. */
export interface ExchangeOrder {
  readonly endpoint: Endpoint;
  readonly wire: WireRequest;
  readonly row: RequestRow;
  readonly limits: ExchangeLimits;
  /** How late an open model started the iteration, for its first request. */
  readonly latenessMs: number | null;
}
