import type { HeaderFields } from "@bearhug/sdk";
import { changingMethods } from "@bearhug/sdk/internal";

import type { Endpoint } from "./endpoint.ts";
import type { EndpointCache } from "./endpoint-cache.ts";
import { pairsOf } from "./pairs.ts";

/** A request before it is sent. */
interface Unsent {
  readonly endpoint: Pick<Endpoint, "method" | "origin">;
  /** Returns true if the test sets the header itself. */
  gives(name: string): boolean;
}

const addressHeader = /^(?:origin|referer)$/i;
const noHeaders: readonly string[] = [];

/**
 * The header by which a site knows the requests of its own pages, name and value in turn, as browsers send it (Fetch, section
 * 3.1): only with requests that change something; none if the test sets one itself.
 */
export function originHeader(draft: Unsent): readonly string[] {
  const { method, origin } = draft.endpoint;
  return !changingMethods.has(method) || draft.gives("origin") ? noHeaders : ["origin", origin.text];
}

/** Headers in which addresses of the site's pages are what they are for this run: relative to the base, moved to the target. */
export function withSiteAddresses(
  method: string,
  headers: HeaderFields,
  endpoints: Pick<EndpointCache, "siteAddress">,
): (readonly [name: string, value: string])[] {
  const isMoved = changingMethods.has(method);
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
