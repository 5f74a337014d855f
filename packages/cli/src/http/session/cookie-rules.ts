import { Cookie, CookieJar, defaultPath, domainMatch, getPublicSuffix, pathMatch, Store } from "tough-cookie";

import { once } from "@bearhug/sdk/internal";

import { detachedText } from "../detached-text.ts";

/** A cookie as a visitor keeps it: no more than what decides where it is sent. */
export interface KeptCookie {
  readonly name: string;
  /** As it came, each character one byte. */
  readonly value: string;
  /** In lower case, without a dot before it; of an IPv6 address without brackets. */
  readonly domain: string;
  readonly path: string;
  readonly isHostOnly: boolean;
  readonly isSecure: boolean;
  /** By people's clocks; infinite for a cookie that ends with the visit. */
  readonly expiresAtMs: number;
  /** When it was last set or sent. */
  usedAtMs: number;
}

/** The most bytes of name and value, and of an attribute: beyond it browsers drop the cookie, or the attribute. */
const maxPairBytes = 4096;
const maxAttributeBytes = 1024;
/** However far away a cookie's end is, browsers forget it after 400 days. */
const longestLifeMs = 400 * 24 * 60 * 60 * 1000;

const nothing = Promise.resolve(undefined);

/** A store that keeps nothing: tough-cookie only judges cookies, and sessions keep them in less memory. Shared by all. */
const judge = once(() => {
  class Passing extends Store {
    override synchronous = true;
    override findCookie(
      _domain: unknown,
      _path: unknown,
      _key: unknown,
      onFound?: (error: null, cookie?: Cookie) => void,
    ): Promise<undefined> {
      onFound?.(null);
      return nothing;
    }
    override putCookie(_cookie: Cookie, onPut?: (error: null) => void): Promise<void> {
      onPut?.(null);
      return nothing;
    }
  }
  return new CookieJar(new Passing(), { looseMode: true, prefixSecurity: "strict" });
});

/** The cookie of a `set-cookie` line, or why browsers would not keep it. */
export function readCookie(line: string, url: URL, nowMs: number): KeptCookie | Error {
  const cookie = Cookie.parse(line, { loose: true });
  if (cookie === undefined || cookie.key + cookie.value === "") return new Error("it cannot be read");
  if (`${cookie.key}${cookie.value}`.includes("\u007f")) return new Error("it has a control character");
  if (cookie.key.length + cookie.value.length > maxPairBytes) {
    return new Error(`name and value are longer than ${maxPairBytes} bytes`);
  }
  const host = hostOf(url);
  if ((cookie.path?.length ?? 0) > maxAttributeBytes) cookie.path = null;
  if ((cookie.domain?.length ?? 0) > maxAttributeBytes) cookie.domain = null;
  // A host that is a public suffix itself, such as `intranet` or `github.io`, may name itself: for itself alone.
  if (cookie.domain === host && isPublicSuffix(host)) cookie.domain = null;
  try {
    judge().setCookieSync(cookie, url);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  return {
    name: detachedText(cookie.key),
    value: detachedText(cookie.value),
    domain: cookie.cdomain() ?? host,
    // tough-cookie takes the default from the decoded path, which browsers do not.
    path: cookie.pathIsDefault === true ? defaultPath(url.pathname) : detachedText(cookie.path ?? "/"),
    isHostOnly: cookie.hostOnly === true,
    isSecure: cookie.secure,
    expiresAtMs: expiryOf(cookie, nowMs),
    usedAtMs: nowMs,
  };
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

/** The registrable domain, by which browsers count cookies; a host without one counts by itself. */
export function cookieSite(domain: string): string {
  return getPublicSuffix(domain, { allowSpecialUseDomain: true, ignoreError: true }) ?? domain;
}

function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, { allowSpecialUseDomain: true, ignoreError: true }) === undefined;
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** `Secure` cookies go to this machine without TLS too, as in browsers; tough-cookie decides so when one is set. */
function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host === "::1" || host.endsWith(".localhost") || /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Worked out once: tough-cookie counts Max-Age anew from each use, so that a cookie in use would never end. */
function expiryOf({ maxAge, expires }: Cookie, nowMs: number): number {
  const latest = nowMs + longestLifeMs;
  if (typeof maxAge === "number") {
    return maxAge <= 0 ? -Infinity : Math.min(nowMs + maxAge * 1000, latest);
  }
  return expires instanceof Date ? Math.min(expires.getTime(), latest) : Infinity;
}
