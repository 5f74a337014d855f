/** The target of a redirect. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly keepsBody: boolean;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

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
  const becomesGet =
    (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  return { method: becomesGet ? "GET" : method, url, keepsBody: !becomesGet };
}

/** Returns true if a response names different targets: an attacker may have injected one of them. */
export function isAmbiguous(locations: readonly string[]): boolean {
  return new Set(locations.filter((location) => location !== "")).size > 1;
}

/** Characters of a header are bytes: what a server writes in UTF-8, or in anything else, goes back to it byte by byte. */
function escapeBytes(location: string): string {
  return location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
