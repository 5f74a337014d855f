import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Exchange } from "../exchange/exchange.ts";
import type { RejectedCookie } from "../exchange/exchange-recorder.ts";
import type { Draft } from "../request/draft.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import {
  cookieSite,
  cookieTarget,
  isSentTo,
  type KeptCookie,
  nameOfSet,
  overlays,
  readCookie,
} from "./cookie-rules.ts";

/** Cookies given in a request's own options, by name. */
export type OwnCookies = Readonly<Record<string, string>>;

/** The cookies of one VU, by the rules of browsers. Without cookies it takes almost no memory. */
export class Cookies {
  readonly #clock: Pick<Clock, "date">;
  /** True once the test's code has read them: it may store and set them again itself. */
  wasRead = false;
  /** The first one, until a request to its host would send it; null without one. */
  rejected: RejectedCookie | null = null;
  /** In order of creation; null if there are none. */
  #kept: KeptCookie[] | null = null;
  /** The number of cookies at which the limits are checked again. */
  #checkAt = 2 * maxCookiesOfSite;

  constructor(clock: Pick<Clock, "date">) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#kept === null;
  }

  /**
   * Returns the `cookie` header of a request; null if there are no cookies to send. `own`: cookies for this
   * request only, which replace stored ones of the same name.
   */
  header(url: URL, own: OwnCookies = {}): string | null {
    const sent = this.sentTo(url).filter(({ name }) => !Object.hasOwn(own, name));
    const nowMs = sent.length === 0 ? 0 : this.#nowMs();
    for (const cookie of sent) cookie.usedAtMs = nowMs;
    const pairs = sent.map(({ name, value }) => (name === "" ? value : `${name}=${value}`));
    for (const [name, value] of Object.entries(own)) pairs.push(`${name}=${value}`);
    return pairs.length === 0 ? null : pairs.join("; ");
  }

  /** Stores a response's `set-cookie` lines, and skips those that browsers reject. */
  store(url: URL, setCookieLines: readonly string[]): void {
    const nowMs = this.#nowMs();
    const unkept: { line: string; reason: string }[] = [];
    for (const line of setCookieLines) {
      const cookie = this.#read(line, url, nowMs);
      if (cookie instanceof Error) unkept.push({ line, reason: cookie.message });
      else this.#keep(cookie, nowMs);
    }
    const isKept = (name: string): boolean => isKeptOf(setCookieLines, name, url, nowMs);
    if (this.rejected !== null && isKept(this.rejected.name)) this.rejected = null;
    for (const { line, reason } of unkept) {
      // The first one of a host is enough, and a server may set it in every response.
      if (this.rejected?.url.host === url.host) break;
      const name = nameOfSet(line, nowMs);
      // Many servers set a cookie twice, for a domain and for the host alone.
      if (name !== null && !isKept(name)) this.rejected = { name, url, reason };
    }
    this.#limit(nowMs);
  }

  /** Stores one line. @throws {Error} with the reason why browsers reject it */
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

  /** Removes all cookies, for a new visitor. */
  clear(): void {
    this.wasRead = false;
    this.rejected = null;
    this.#kept = null;
    this.#checkAt = 2 * maxCookiesOfSite;
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
    if (kept.length >= this.#checkAt) this.#limit(nowMs);
  }

  #limit(nowMs: number): void {
    if (this.#kept === null) return;
    const left = withinLimits(this.#kept, nowMs);
    this.#kept = left.length === 0 ? null : left;
    this.#checkAt = Math.max(maxCookiesOfSite, left.length) + maxCookiesOfSite;
  }

  #nowMs(): number {
    return this.#clock.date().getTime();
  }
}

/** True if one of these `set-cookie` lines sets or deletes a cookie of this name, as browsers do. */
function isKeptOf(lines: readonly string[], name: string, url: URL, nowMs: number): boolean {
  return lines.some((line) => {
    const cookie = readCookie(line, url, nowMs);
    return !(cookie instanceof Error) && cookie.name === name;
  });
}

function isSame(a: KeptCookie, b: KeptCookie): boolean {
  return a.name === b.name && a.path === b.path && a.domain === b.domain && a.isHostOnly === b.isHostOnly;
}

/** The limits of browsers: per site, and in total. */
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

/** Returns the `cookie` header that a VU adds to a request, name and value in turn; empty without cookies. */
export function cookieHeader(cookies: Cookies | null, draft: Draft, own?: OwnCookies): readonly string[] {
  if (cookies === null) return noHeaders;
  // Avoids parsing the endpoint's URL if there are no cookies.
  if (cookies.isEmpty && own === undefined) return noHeaders;
  const cookie = cookies.header(draft.endpoint.url, own);
  return cookie === null || draft.setsHeader("cookie") ? noHeaders : ["cookie", cookie];
}

/** Returns the cookie that a request would send if browsers had kept it, once; null if there is none. */
export function takeRejected(cookies: Cookies | null, draft: Draft, own?: OwnCookies): RejectedCookie | null {
  const rejected = cookies?.rejected ?? null;
  if (cookies === null || rejected === null) return null;
  const isSentTo = draft.endpoint.url.host === rejected.url.host;
  // The test may send it by itself.
  if (!isSentTo || Object.hasOwn(own ?? {}, rejected.name) || draft.setsHeader("cookie")) return null;
  cookies.rejected = null;
  return rejected;
}

/** Stores the cookies that a response sets. */
export function keepCookies(cookies: Cookies | null, { head, request }: Exchange, mask: Mask): void {
  if (cookies === null || head?.setsCookie !== true) return;
  const lines = new RawResponseHeaders(head.rawHeaders()).getAll("set-cookie");
  for (const line of lines) mask.seen.lookAtCookie(line);
  cookies.store(request.endpoint.url, lines);
}
