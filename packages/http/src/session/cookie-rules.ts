import { isIP } from "node:net";

import { detachedText } from "@bearhug/text/detached-text";
import { defaultPath, domainMatch, getPublicSuffix, parseDate, pathMatch } from "tough-cookie";

import { readSetCookie, type SetCookie } from "./set-cookie.ts";

/** A stored cookie, with the attributes that decide where it is sent. */
export interface KeptCookie {
  readonly name: string;
  /** As received, each character one byte. */
  readonly value: string;
  /** In lower case, without a leading dot; an IPv6 address has no brackets. */
  readonly domain: string;
  readonly path: string;
  readonly isHostOnly: boolean;
  readonly isSecure: boolean;
  /** Wall-clock time; infinite for a session cookie. */
  readonly expiresAtMs: number;
  /** When it was last set or sent. */
  usedAtMs: number;
}

/** Browsers drop cookies after 400 days, even if they expire later. */
const longestLifeMs = 400 * 24 * 60 * 60 * 1000;

/** Returns the cookie of a `set-cookie` line, or why browsers reject it (RFC 6265bis, section 5.7). */
export function readCookie(line: string, url: URL, nowMs: number): KeptCookie | Error {
  const read = readSetCookie(line);
  if (read instanceof Error) return read;
  const { host, isTrustworthy } = cookieTarget(url);
  const domain = domainOf(read, host);
  if (domain instanceof Error) return domain;
  if (read.isSecure && !isTrustworthy) return new Error("it is Secure, and the address has no TLS");
  const reason = againstPrefix(read, domain === null);
  if (reason !== null) return new Error(reason);
  return {
    name: detachedText(read.name),
    value: detachedText(read.value),
    domain: detachedText(domain ?? host),
    path: detachedText(read.path ?? defaultPath(url.pathname)),
    isHostOnly: domain === null,
    isSecure: read.isSecure,
    expiresAtMs: expiryOf(read, nowMs),
    usedAtMs: nowMs,
  };
}

/** Returns the name of the cookie that a line sets; null if it deletes one, or no browser can read it. */
export function nameOfSet(line: string, nowMs: number): string | null {
  const read = readSetCookie(line);
  return read instanceof Error || expiryOf(read, nowMs) <= nowMs ? null : read.name;
}

/** Returns a cookie's domain; null for a host-only cookie, or the reason why browsers reject it. */
function domainOf({ domain }: SetCookie, host: string): string | null | Error {
  if (domain === null) return null;
  if (isPublicSuffix(domain)) {
    // A host that is itself a public suffix (`intranet`, `github.io`) may only set host-only cookies.
    return domain === host ? null : new Error(`its domain ${JSON.stringify(domain)} is a public suffix`);
  }
  if (domainMatch(host, domain, false) === true) return domain;
  return new Error(`its domain ${JSON.stringify(domain)} is not that of the address`);
}

/**
 * Returns how a cookie violates its name's prefix; null if it does not. For a cookie without a name, the
 * value is checked, because servers may read it as a name.
 */
function againstPrefix({ name, value, isSecure, path }: SetCookie, isHostOnly: boolean): string | null {
  const prefix = /^__(secure|host)-/i.exec(name === "" ? value : name)?.[1]?.toLowerCase();
  if (prefix === undefined) return null;
  if (name === "") return "it has no name, and its value begins like a name that promises something";
  if (!isSecure) return `a name that begins with "__${prefix}-" needs Secure`;
  if (prefix === "secure" || (isHostOnly && path === "/")) return null;
  return 'a name that begins with "__host-" needs Path=/ and no Domain';
}

/** The parts of an address that decide which cookies are sent. */
export interface CookieTarget {
  readonly host: string;
  readonly path: string;
  readonly isTrustworthy: boolean;
}

export function cookieTarget(url: URL): CookieTarget {
  const host = hostOf(url);
  return { host, path: url.pathname, isTrustworthy: url.protocol === "https:" || isLoopback(host) };
}

/** Returns true if a cookie is sent to an address. Expiry is not considered. */
export function isSentTo(cookie: KeptCookie, { host, path, isTrustworthy }: CookieTarget): boolean {
  const isOfHost = cookie.isHostOnly
    ? cookie.domain === host
    : domainMatch(host, cookie.domain, false) === true;
  return isOfHost && (isTrustworthy || !cookie.isSecure) && pathMatch(path, cookie.path);
}

/** Returns the registrable domain, for which browsers limit cookies; a host without one counts separately. */
export function cookieSite(domain: string): string {
  return getPublicSuffix(domain, { allowSpecialUseDomain: true, ignoreError: true }) ?? domain;
}

function isPublicSuffix(domain: string): boolean {
  if (isIP(domain) !== 0) return false;
  return getPublicSuffix(domain, { allowSpecialUseDomain: true, ignoreError: true }) === undefined;
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** Like browsers, treats this machine as trustworthy for `Secure` cookies, even without TLS. */
function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host === "::1" || host.endsWith(".localhost") || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Returns when a cookie expires. `Max-Age` wins over `Expires`. */
function expiryOf({ maxAgeS, expires }: SetCookie, nowMs: number): number {
  const latest = nowMs + longestLifeMs;
  if (maxAgeS !== null) return maxAgeS <= 0 ? -Infinity : Math.min(nowMs + maxAgeS * 1000, latest);
  const end = expires.flatMap((text) => parseDate(text)?.getTime() ?? []).at(-1);
  return end === undefined ? Infinity : Math.min(end, latest);
}

/**
 * Returns true if a cookie that was set without TLS would be sent in place of a `Secure` one. An attacker
 * between client and server could have set it.
 */
export function overlays(cookie: KeptCookie, secure: KeptCookie): boolean {
  return (
    secure.isSecure &&
    secure.name === cookie.name &&
    (domainMatch(cookie.domain, secure.domain, false) === true ||
      domainMatch(secure.domain, cookie.domain, false) === true) &&
    pathMatch(cookie.path, secure.path)
  );
}
