import { getDomain } from "@bearhug/sdk/internal";

import { redirectTarget, type Visit } from "../visit.ts";
import { isTopDocument, resourceTypeOf } from "./resource-type.ts";

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
  return getDomain(hostname) ?? hostname;
}

function isRedirect({ entry }: Visit): boolean {
  const status = entry.response?.status ?? 0;
  return status >= 300 && status < 400 && status !== 304;
}

const maxHosts = 5;
/** Hosts that a shell takes without quotes. */
const plainHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/**
 * A sentence about other sites' hosts to which redirects lead, and from which redirects lead back: a login that somebody
 * else serves, most often. Without them, what they hand out on the way is missing.
 *
 * @param kept What is replayed.
 * @param others Requests to other sites.
 */
export function noteRoundTrips(kept: readonly Visit[], others: readonly Visit[]): string[] {
  const sites = new Set(kept.map(({ url }) => url.host));
  const strangers = new Set(others.map(({ url }) => url.host).filter((host) => plainHost.test(host)));
  const onwards = new Links();
  const backwards = new Links();
  for (const [from, to] of redirectsOf(others)) {
    onwards.add(from, to);
    backwards.add(to, from);
  }
  const reached = onwards.follow(redirectsOf(kept).map(([, to]) => to));
  const returning = backwards.follow(sites);
  const hosts = [...reached].filter((host) => strangers.has(host) && returning.has(host)).slice(0, maxHosts);
  if (hosts.length === 0) return [];
  const [lead, them] = hosts.length === 1 ? ["A redirect leads", "it"] : ["Redirects lead", "them"];
  return [
    `${lead} to ${hosts.join(", ")} and back to the site. To follow ${them}, add --hosts ${hosts.join(",")}.`,
  ];
}

/** From host to host. Pictures are sent on between those who count visitors: what is no document is none of these. */
function redirectsOf(visits: readonly Visit[]): (readonly [from: string, to: string])[] {
  return visits.flatMap((visit) => {
    const target = redirectTarget(visit);
    const host = target === null ? undefined : URL.parse(target)?.host;
    const isDocument = /^(document|other)$/.test(resourceTypeOf(visit.entry, visit.url));
    return host === undefined || !isDocument ? [] : [[visit.url.host, host] as const];
  });
}

/** Which hosts lead to which. */
class Links {
  readonly #links = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    const others = this.#links.get(from);
    if (others === undefined) this.#links.set(from, new Set([to]));
    else others.add(to);
  }

  /** Hosts, and all that they lead to. */
  follow(hosts: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(hosts);
    for (const host of reached) for (const next of this.#links.get(host) ?? []) reached.add(next);
    return reached;
  }
}
