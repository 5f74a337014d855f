import { cookieSite, type KeptCookie } from "./cookie-rules.ts";

/** As many as browsers keep: of one site, and in all. */
export const maxCookiesOfSite = 180;
export const maxCookies = 3000;

/** What is left when the expired and, beyond the limits, the least recently used cookies are dropped. */
export function withinLimits(cookies: readonly KeptCookie[], nowMs: number): KeptCookie[] {
  const live = cookies.filter((cookie) => cookie.expiresAtMs > nowMs);
  if (live.length <= maxCookiesOfSite) return live;
  const dropped = new Set<KeptCookie>();
  for (const ofSite of bySite(live)) {
    for (const cookie of surplus(ofSite, maxCookiesOfSite)) dropped.add(cookie);
  }
  const left = live.filter((cookie) => !dropped.has(cookie));
  for (const cookie of surplus(left, maxCookies)) dropped.add(cookie);
  return live.filter((cookie) => !dropped.has(cookie));
}

function surplus(cookies: readonly KeptCookie[], limit: number): readonly KeptCookie[] {
  if (cookies.length <= limit) return [];
  return cookies.toSorted((a, b) => a.usedAtMs - b.usedAtMs).slice(0, cookies.length - limit);
}

function bySite(cookies: readonly KeptCookie[]): Iterable<readonly KeptCookie[]> {
  const sites = new Map<string, string>();
  return Map.groupBy(cookies, ({ domain }) => {
    let site = sites.get(domain);
    if (site === undefined) sites.set(domain, (site = cookieSite(domain)));
    return site;
  }).values();
}
