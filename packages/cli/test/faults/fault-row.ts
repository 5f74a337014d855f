import type { HttpOptions, HttpPhase, KnownHttpErrorCode, RequestOptions } from "@bearhug/sdk";

import type { Answer } from "../../../http/test/net/start-name-server.ts";
import type { ServerScript } from "./server-script.ts";

/** How the client reaches the server. */
export type Reach =
  | { readonly by: "address" }
  /** The server is a proxy, and the target is behind it. */
  | { readonly by: "proxy"; readonly target: string }
  /** By a host name, for which the name server gives this answer. */
  | { readonly by: "name"; readonly answer: Answer }
  /** At a port where nothing listens. */
  | { readonly by: "closedPort" }
  /** At a port whose server never accepts: its backlog is full. */
  | { readonly by: "fullBacklog" }
  | { readonly by: "tls"; readonly certificate: "expired" | "selfSigned" | "wrongHost" | "good" };

export interface FaultyRequest extends Pick<
  RequestOptions,
  "timeout" | "retryOnStaleConnection" | "maxBodySize" | "redirects" | "headers"
> {
  readonly method?: string;
  readonly bodyBytes?: number;
  /** The time after which the request's own signal aborts it. */
  readonly abortAfterMs?: number;
}

export interface Outcome {
  /** Null if there is a whole response, whatever its status. */
  readonly code: KnownHttpErrorCode | null;
  /** The phase in which the request failed. */
  readonly phase?: HttpPhase;
  readonly status: number;
  readonly text?: string;
  /** Matches the error that reading the body throws. */
  readonly readError?: RegExp;
  /** The number of requests, including redirects and retries. @default 1 */
  readonly started?: number;
  /** The number of requests whose head was written. @default all */
  readonly sent?: number;
  readonly failed?: number;
  /** The codes in the errors table. @default the code alone */
  readonly errors?: readonly string[];
  /** A part of the error message. */
  readonly says?: string;
}

/** One fault: what the server does, and the outcome of the request that meets it. */
export interface FaultRow {
  readonly name: string;
  /** The numbers of the faults that this row covers. */
  readonly rows: readonly number[];
  /** @default a healthy server */
  readonly script?: ServerScript;
  readonly reach?: Reach;
  readonly request?: FaultyRequest;
  readonly http?: HttpOptions;
  /** True if another request goes first, over the same connection. */
  readonly isWarm?: boolean;
  readonly outcome: Outcome;
  /** The connection of the next request, which must succeed; null if there can be no next request. */
  readonly next: "sameConnection" | "newConnection" | null;
  /** The pause before the next request, and after the warm one if there is one. */
  readonly pauseMs?: number;
  /** The codes in the errors table after the pause. @default those before it */
  readonly errorsAfterPause?: readonly string[];
  /** A pattern that the head of the next request must not match. */
  readonly nextLacks?: RegExp;
  /** The longest that the request may take. @default 5000 */
  readonly maxMs?: number;
}

/** The timeout of requests that are meant to exceed it: long enough for a busy machine to connect. */
export const shortTimeout = 300;
