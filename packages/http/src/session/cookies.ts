import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Exchange } from "../exchange/exchange.ts";
import type { Draft } from "../request/draft.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { cookieSite, cookieTarget, isSentTo, type KeptCookie, overlays, readCookie } from "./cookie-rules.ts";

/** Cookies that a request brings along, by name. */
export type OwnCookies = Readonly<Record<string, string>>;

/** The cookies of one VU, kept as a browser keeps them; one that has none costs next to nothing. */
export class Cookies {
  readonly #clock: Pick<Clock, "date">;
  /** In the order in which they were made; null until there is one. */
  #kept: KeptCookie[] | null = null;
  /** How many there may be before the limits are looked at again. */
  #roomTo = maxCookiesOfSite;

  constructor(clock: Pick<Clock, "date">) {
    this.#clock = clock;
  }

  /** Nothing is sent anywhere. */
  get isEmpty(): boolean {
    return this.#kept === null;
  }

  /**
   * The `cookie` header of a request; null where there is nothing to send. `own`: values by name that go with this request
   * alone, in place of those of the same name.
   */
  header(url: URL, own: OwnCookies = {}): string | null {
    const sent = this.sentTo(url).filter(({ name }) => !Object.hasOwn(own, name));
    const nowMs = sent.length === 0 ? 0 : this.#nowMs();
    for (const cookie of sent) cookie.usedAtMs = nowMs;
    const pairs = sent.map(({ name, value }) => (name === "" ? value : `${name}=${value}`));
    for (const [name, value] of Object.entries(own)) pairs.push(`${name}=${value}`);
    return pairs.length === 0 ? null : pairs.join("; ");
  }

  /** Takes a response's `set-cookie` lines in; those that browsers would not keep are passed over. */
  store(url: URL, setCookieLines: readonly string[]): void {
    const nowMs = this.#nowMs();
    for (const line of setCookieLines) {
      const cookie = this.#read(line, url, nowMs);
      if (!(cookie instanceof Error)) this.#keep(cookie, nowMs);
    }
    this.#limit(nowMs);
  }

  /** Takes one in; throws why browsers would not keep it. */
  add(url: URL, setCookieLine: string): void {
    const nowMs = this.#nowMs();
    const cookie = this.#read(setCookieLine, url, nowMs);
    if (cookie instanceof Error) throw cookie;
    this.#keep(cookie, nowMs);
    this.#limit(nowMs);
  }

  /** Returns the cookies for an address in the order of sending: longer paths first, then older cookies. */
  sentTo(url: URL): readonly KeptCookie[] {
    if (this.#kept === null) return [];
    const target = cookieTarget(url);
    const nowMs = this.#nowMs();
    const sent = this.#kept.filter((cookie) => cookie.expiresAtMs > nowMs && isSentTo(cookie, target));
    return sent.sort((a, b) => b.path.length - a.path.length);
  }

  /** A new visitor. */
  clear(): void {
    this.#kept = null;
    this.#roomTo = maxCookiesOfSite;
  }

  #read(line: string, url: URL, nowMs: number): KeptCookie | Error {
    const cookie = readCookie(line, url, nowMs);
    if (cookie instanceof Error || cookie.isSecure || cookieTarget(url).isTrustworthy) return cookie;
    const isHidden = this.#kept?.some((kept) => kept.expiresAtMs > nowMs && overlays(cookie, kept)) === true;
    return isHidden ? new Error("the address has no TLS, and a Secure cookie has this name") : cookie;
  }

  #keep(cookie: KeptCookie, nowMs: number): void {
    const kept = (this.#kept ??= []);
    const known = kept.findIndex((other) => isSame(cookie, other));
    if (known >= 0) kept[known] = cookie;
    else kept.push(cookie);
    if (kept.length >= this.#roomTo + maxCookiesOfSite) this.#limit(nowMs);
  }

  #limit(nowMs: number): void {
    if (this.#kept === null) return;
    const left = withinLimits(this.#kept, nowMs);
    this.#kept = left.length === 0 ? null : left;
    this.#roomTo = Math.max(maxCookiesOfSite, left.length);
  }

  #nowMs(): number {
    return this.#clock.date().getTime();
  }
}

function isSame(a: KeptCookie, b: KeptCookie): boolean {
  return a.name === b.name && a.path === b.path && a.domain === b.domain && a.isHostOnly === b.isHostOnly;
}

/** As many as browsers keep: of one site, and in all. */
export const maxCookiesOfSite = 180;
export const maxCookies = 3000;

/** Drops the expired cookies and, beyond the limits, the least recently used ones. */
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

const noHeaders: readonly string[] = [];

/** The `cookie` header that a VU adds to a request, name and value in turn; empty where it has none to send. */
export function cookieHeader(cookies: Cookies | null, draft: Draft, own?: OwnCookies): readonly string[] {
  // An endpoint's address is taken apart only when it must be.
  if (cookies === null || (cookies.isEmpty && own === undefined)) return noHeaders;
  const cookie = cookies.header(draft.endpoint.url, own);
  return cookie === null || draft.gives("cookie") ? noHeaders : ["cookie", cookie];
}

/** Keeps the cookies that a response sets. */
export function keepCookies(cookies: Cookies | null, { head, request }: Exchange, mask: Mask): void {
  if (cookies === null || head?.setsCookie !== true) return;
  const lines = new RawResponseHeaders(head.rawHeaders()).getAll("set-cookie");
  for (const line of lines) mask.seen.cookie(line);
  cookies.store(request.endpoint.url, lines);
}
