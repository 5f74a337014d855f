import type { RequestOptions, Response } from "@bearhug/sdk";

import type { Place } from "../clients/client.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Draft } from "./request/draft.ts";
import { isExpectedStatus, type Expectation } from "./request/expectation.ts";
import type { RedirectChain } from "./session/redirect-chain.ts";
import type { HttpEnvironment } from "./http-environment.ts";

/** A call of the test's, and how far it has come on a chain of redirects; its own options replace those of `http`. */
export interface Call {
  draft: Draft;
  readonly options: RequestOptions;
  readonly place: Place;
  readonly environment: HttpEnvironment;
  readonly chain: RedirectChain;
  /** A digest challenge of this draft has been answered: it is answered only once. */
  hasLoggedIn: boolean;
}

const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Returns true if an answer that was not expected is thrown. */
export function throwsOnError({ options, environment }: Call): boolean {
  return options.throwOnError ?? environment.options.throwOnError;
}

/** The statuses that count as success. */
export function expectationOf({ options, environment }: Call): Expectation {
  return options.expect ?? environment.options.expect;
}

/** Returns true for an answer with an expected status. */
export function isGood(response: Response, call: Call): boolean {
  return response.error === null && isExpectedStatus(response.status, expectationOf(call));
}

/** Returns true if the test wants a repeat, and the server may see the request twice. */
export function isToBeRepeated(exchange: Exchange, { draft, options, environment }: Call): boolean {
  if (exchange.error === null || !draft.isRepeatable) return false;
  if (!(options.retryOnStaleConnection ?? environment.options.retryOnStaleConnection)) return false;
  if (exchange.isUnprocessed) return true;
  return exchange.error.code === "STALE_CONNECTION" && idempotent.has(draft.endpoint.method);
}
