import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { redirectStatuses } from "@bearhug/sdk/internal";

import { RawResponseHeaders } from "../response/response-headers.ts";
import type { Exchange } from "./exchange.ts";

/** What is odd about a response of status 3xx that counts as a success. */
export interface OddStatus {
  readonly code: KnownHttpErrorCode;
  /** Ends the sentence "it responded with status 302". */
  readonly why: string;
}

const withoutLocation: OddStatus = { code: "LOCATION_MISSING", why: ", but without a location" };

const withoutCondition: OddStatus = {
  code: "UNREQUESTED_304",
  why: ", although the request had no if-none-match or if-modified-since",
};

/** Returns what is odd about a response of status 3xx; null if nothing is. */
export function findOddStatus(exchange: Exchange): OddStatus | null {
  if (exchange.status === 304) return isUnconditional(exchange) ? withoutCondition : null;
  return leadsNowhere(exchange) ? withoutLocation : null;
}

/**
 * Returns true for a visit that did not say what it has already. Interfaces use 304 in their own ways: for changes
 * that change nothing, as Docker's, and for no news since a version in the query, as Apollo's.
 */
function isUnconditional({ method, request: { endpoint, wire } }: Exchange): boolean {
  if ((method !== "GET" && method !== "HEAD") || endpoint.url.search !== "") return false;
  return wire.headers.every((name, at) => at % 2 === 1 || !ofConditions.test(name));
}

/** The names of headers that make a request conditional, by the standard or by the application. */
const ofConditions = /(?:^|-)if-|etag|modified|version/i;

/** Returns true for a redirect without a target. Browsers show such a page, and `refresh` in it leads on. */
function leadsNowhere({ status, method, rawHeaders }: Exchange): boolean {
  if (!redirectStatuses.has(status)) return false;
  // Google's uploads use it to ask for the next part.
  if (status === 308 && method !== "GET" && method !== "HEAD") return false;
  const headers = new RawResponseHeaders(rawHeaders);
  return (
    headers.getAll("location").every((location) => location.trim() === "") && headers.get("refresh") === null
  );
}
