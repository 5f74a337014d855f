import type { HeaderFields } from "@bearhug/sdk";
import { modifyingMethods } from "@bearhug/sdk/internal";

import type { Endpoint } from "./endpoint.ts";
import type { EndpointCache } from "./endpoint-cache.ts";
import { pairsOf } from "./pairs.ts";

/** A request before it is sent. */
interface Unsent {
  readonly endpoint: Pick<Endpoint, "method" | "origin">;
  /** Returns true if the test sets the header itself. */
  setsHeader(name: string): boolean;
}

const addressHeader = /^(?:origin|referer)$/i;
const noHeaders: readonly string[] = [];

/**
 * Returns the `origin` header, name and value in turn, by which a site recognizes requests from its own
 * pages. Like browsers (Fetch, section 3.1), only for methods that change something; empty if the test sets
 * the header itself.
 */
export function originHeader(draft: Unsent): readonly string[] {
  const { method, origin } = draft.endpoint;
  return !modifyingMethods.has(method) || draft.setsHeader("origin") ? noHeaders : ["origin", origin.text];
}

/**
 * Returns the headers with page addresses in `origin` and `referer` resolved against the base and moved to
 * the target.
 */
export function withSiteAddresses(
  method: string,
  headers: HeaderFields,
  endpoints: Pick<EndpointCache, "siteAddress">,
): (readonly [name: string, value: string])[] {
  const isMoved = modifyingMethods.has(method);
  return [...pairsOf<string | readonly string[]>(headers)].flatMap(([name, value]) => {
    const values = typeof value === "string" ? [value] : value;
    const isAddress = isMoved && addressHeader.test(name);
    return values.map((text) => [name, isAddress ? siteAddress(name, text, endpoints) : text] as const);
  });
}

function siteAddress(name: string, text: string, endpoints: Pick<EndpointCache, "siteAddress">): string {
  const url = endpoints.siteAddress(text);
  if (url === null) return text;
  return name.toLowerCase() === "origin" ? url.origin : url.href;
}
