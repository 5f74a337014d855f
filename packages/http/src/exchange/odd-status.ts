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

/** Returns what is odd about a response of status 3xx; null if nothing is. */
export function findOddStatus(exchange: Exchange): OddStatus | null {
  return leadsNowhere(exchange) ? withoutLocation : null;
}

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
