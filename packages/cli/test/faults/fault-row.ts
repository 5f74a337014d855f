import type { HttpOptions, HttpPhase, KnownHttpErrorCode, RequestOptions } from "@bearhug/sdk";

import type { Answer } from "../../../http/test/net/start-name-server.ts";
import type { ServerScript } from "./server-script.ts";

/** How the client comes to the server. */
export type Reach =
  | { readonly by: "address" }
  /** The server is a proxy, and the target beyond. */
  | { readonly by: "proxy"; readonly target: string }
  /** By a name that a name server knows, or not. */
  | { readonly by: "name"; readonly answer: Answer }
  /** Nothing listens there. */
  | { readonly by: "closedPort" }
  /** Something listens and never accepts: its backlog is full. */
  | { readonly by: "fullBacklog" }
  | { readonly by: "tls"; readonly certificate: "expired" | "selfSigned" | "wrongHost" | "good" };

export interface FaultyRequest extends Pick<
  RequestOptions,
  "timeout" | "retryOnStaleConnection" | "maxBodySize" | "redirects" | "headers"
> {
  readonly method?: string;
  readonly bodyBytes?: number;
  /** Given up by the test's own signal. */
  readonly abortAfterMs?: number;
}

export interface Outcome {
  /** Null: the exchange is good, whatever its status. */
  readonly code: KnownHttpErrorCode | null;
  /** Of the failure. */
  readonly phase?: HttpPhase;
  readonly status: number;
  readonly text?: string;
  /** What reading the body throws. */
  readonly readError?: RegExp;
  /** Requests, redirects and repeats included. @default 1 */
  readonly started?: number;
  /** Those whose head was written. @default all */
  readonly sent?: number;
  readonly failed?: number;
  /** What stands in the errors table. @default the code alone */
  readonly errors?: readonly string[];
  /** Part of the sentence. */
  readonly says?: string;
}

/** One fault: what a server does, and what must become of the request that meets it. */
export interface FaultRow {
  readonly name: string;
  /** The rows of the table of faults that it stands for. */
  readonly rows: readonly number[];
  /** @default a server as it should be */
  readonly script?: ServerScript;
  readonly reach?: Reach;
  readonly request?: FaultyRequest;
  readonly http?: HttpOptions;
  /** A request goes before, over the same connection. */
  readonly isWarm?: boolean;
  readonly outcome: Outcome;
  /** What carries the next request, which is answered well; null where none can be. */
  readonly next: "sameConnection" | "newConnection" | null;
  /** Before the next request. */
  readonly pauseMs?: number;
  /** What stands in the errors table by then. @default what stood there before */
  readonly errorsAfterPause?: readonly string[];
  /** What the head of the next request must not have. */
  readonly nextLacks?: RegExp;
  /** The longest that the request may take. @default 1500 */
  readonly maxMs?: number;
}

/** Of requests that are to run out of it: long enough for a busy machine to connect. */
export const shortTimeout = 300;
