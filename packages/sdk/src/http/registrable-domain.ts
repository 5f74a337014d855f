import { getDomain as find } from "tldts";

/**
 * Returns the registrable domain of a host (`example.co.uk` for `shop.example.co.uk`); null for an IP address
 * and for a public suffix. Suffixes of hosting companies (`github.io`) count as public. It has the name of
 * tldts's function, because in the bundle, tough-cookie calls this one instead.
 */
export function getDomain(host: string): string | null {
  return find(host, { allowPrivateDomains: true });
}
