import { becomesGet, redirectStatuses } from "@bearhug/sdk/internal";

/** The target of a redirect. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly keepsBody: boolean;
}

/**
 * The request that a redirect asks for, as browsers read RFC 9110 (section 15.4); null when it asks for none, and where
 * it leads out of HTTP, to an app or to nothing that is an address.
 */
export function nextHop(status: number, location: string | null, method: string, from: URL): Hop | null {
  if (!redirectStatuses.has(status) || location === null || location.trim() === "") return null;
  const url = URL.parse(escapeBytes(location), from.href);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  if (url.hash === "") url.hash = from.hash;
  // Credentials in a Location are the server's idea; browsers do not send them unasked, and messages must not show them.
  url.username = "";
  url.password = "";
  const dropsBody = becomesGet(status, method);
  return { method: dropsBody ? "GET" : method, url, keepsBody: !dropsBody };
}

/** Returns true if a response names different targets: an attacker may have injected one of them. */
export function isAmbiguous(locations: readonly string[]): boolean {
  return new Set(locations.filter((location) => location !== "")).size > 1;
}

/** Characters of a header are bytes: what a server writes in UTF-8, or in anything else, goes back to it byte by byte. */
function escapeBytes(location: string): string {
  return location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
