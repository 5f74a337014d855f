import { getDomain as find } from "tldts";

/**
 * The registrable domain of a host (`shop.example.co.uk` has `example.co.uk`); null for an address and for a public suffix.
 * Suffixes of hosting companies (`github.io`) are public. Named as tldts names it: in the bundle, tough-cookie calls this one.
 */
export function getDomain(host: string): string | null {
  return find(host, { allowPrivateDomains: true });
}
