import { getDomain } from "tldts";
import { isTopDocument } from "./resource-type.ts";
import type { Visit } from "../visit.ts";

/**
 * The document that decides which site is the first party: the first that a person would call a page. Where the way to it
 * led through other sites, the one of them that shows the most pages: a link shortener shows none, and a login page that
 * somebody else serves is left for the site again.
 */
export function findFirstDocument(visits: readonly Visit[]): Visit | undefined {
  const documents = visits.filter(({ entry, url }) => isTopDocument(entry, url));
  const pages = documents.filter((visit) => !isRedirect(visit));
  const [first] = pages;
  if (first === undefined) return visits.find((visit) => !isRedirect(visit)) ?? visits[0];

  const counts = new Map<string, number>();
  for (const { url } of pages) counts.set(siteOf(url), (counts.get(siteOf(url)) ?? 0) + 1);
  const passed = documents.slice(0, documents.indexOf(first)).map(({ url }) => siteOf(url));
  const site = passed.reduce(
    (most, one) => ((counts.get(one) ?? 0) > (counts.get(most) ?? 0) ? one : most),
    siteOf(first.url),
  );
  return pages.find(({ url }) => siteOf(url) === site);
}

/**
 * The site of a URL: its registrable domain, whatever scheme, port and subdomain. Public suffixes of hosting companies
 * count (`a.github.io` is not `b.github.io`); an address or a name without domain (`127.0.0.1`, `localhost`) is a site by
 * itself.
 */
export function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

function isRedirect({ entry }: Visit): boolean {
  const status = entry.response?.status ?? 0;
  return status >= 300 && status < 400 && status !== 304;
}
