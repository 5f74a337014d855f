/** Where a redirect leads. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly keepsBody: boolean;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** The request that a redirect asks for, as browsers read RFC 9110 (section 15.4); null when it asks for none. */
export function nextHop(status: number, location: string | null, method: string, from: URL): Hop | null {
  if (!redirectStatuses.has(status) || location === null) return null;
  const url = URL.parse(location, from.href);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  if (url.hash === "") url.hash = from.hash;
  const becomesGet =
    (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  return { method: becomesGet ? "GET" : method, url, keepsBody: !becomesGet };
}
