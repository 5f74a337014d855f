import { getDomain } from "@bearhug/sdk/internal";

import { Lists } from "../lists.ts";
import { isRedirect, redirectTarget, type Visit } from "../visit.ts";
import { isTopDocument, resourceTypeOf } from "./resource-type.ts";

/**
 * Returns the document that decides which site is the first party: the first one that a person would call a
 * page. If redirects through other sites led to it, the site with the most pages decides: a link shortener
 * has none, and a visitor returns from a login page on another site.
 */
export function findFirstDocument(visits: readonly Visit[]): Visit | undefined {
  const documents = visits.filter(({ entry, url }) => isTopDocument(entry, url));
  const pages = documents.filter(({ entry }) => !isRedirect(entry));
  const [first] = pages;
  if (first === undefined) return visits.find(({ entry }) => !isRedirect(entry)) ?? visits[0];

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
 * Returns the site of a URL: its registrable domain, regardless of scheme, port and subdomain. Public
 * suffixes of hosting companies count (`a.github.io` is not `b.github.io`); an IP address or a name without a
 * domain (`127.0.0.1`, `localhost`) is a site by itself.
 */
export function siteOf({ hostname }: URL): string {
  return getDomain(hostname) ?? hostname;
}

const maxHosts = 5;
/** Hosts that a shell takes without quotes. */
const plainHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/**
 * Returns a sentence about hosts of other sites to which redirects lead, and from which redirects lead back:
 * usually a login on another site. Without them, the values that they supply on the way are missing.
 *
 * @param kept The requests that are replayed.
 * @param others Requests to other sites.
 */
export function noteRoundTrips(kept: readonly Visit[], others: readonly Visit[]): string[] {
  const sites = new Set(kept.map(({ url }) => url.host));
  const otherHosts = new Set(others.map(({ url }) => url.host).filter((host) => plainHost.test(host)));
  const onwards = new Lists<string, string>();
  const backwards = new Lists<string, string>();
  for (const [from, to] of redirectsOf(others)) {
    onwards.add(from, to);
    backwards.add(to, from);
  }
  const reached = follow(
    onwards,
    redirectsOf(kept).map(([, to]) => to),
  );
  const returning = follow(backwards, sites);
  const hosts = [...reached].filter((host) => otherHosts.has(host) && returning.has(host)).slice(0, maxHosts);
  if (hosts.length === 0) return [];
  const [lead, them] = hosts.length === 1 ? ["A redirect leads", "it"] : ["Redirects lead", "them"];
  return [
    `${lead} to ${hosts.join(", ")} and back to the site. To follow ${them}, add --hosts ${hosts.join(",")}.`,
  ];
}

/**
 * Returns the redirects of documents, from host to host. Analytics services redirect images to one another:
 * those do not count.
 */
function redirectsOf(visits: readonly Visit[]): (readonly [from: string, to: string])[] {
  return visits.flatMap((visit) => {
    const target = redirectTarget(visit);
    const host = target === null ? undefined : URL.parse(target)?.host;
    const isDocument = /^(document|other)$/.test(resourceTypeOf(visit.entry, visit.url));
    return host === undefined || !isDocument ? [] : [[visit.url.host, host] as const];
  });
}

/** Returns the hosts and all that their links lead to. */
function follow(links: Lists<string, string>, hosts: Iterable<string>): ReadonlySet<string> {
  const reached = new Set(hosts);
  for (const host of reached) for (const next of links.of(host)) reached.add(next);
  return reached;
}
