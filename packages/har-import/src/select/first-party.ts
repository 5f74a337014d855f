import { getDomain } from "tldts";

/**
 * Whether a URL belongs to the same site as the document: the same registrable domain, whatever scheme, port and
 * subdomain. Public suffixes of hosting companies count (`a.github.io` is not `b.github.io`); an address or a name
 * without domain (`127.0.0.1`, `localhost`) is a site by itself.
 */
export function firstPartyOf(document: URL): (url: URL) => boolean {
  const site = siteOf(document);
  return (url) => siteOf(url) === site;
}

function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
