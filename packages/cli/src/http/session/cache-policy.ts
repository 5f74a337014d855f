import { cacheDirectives, headerValues, httpDateMs, wholeSeconds } from "./cache-headers.ts";

/** When a response was asked for and when its head came, by people's clocks. */
export interface ExchangeTimes {
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
}

/** What a private cache may do with a response, by RFC 9111 and, where that leaves a choice, as browsers choose. */
export interface CachePolicy {
  /** From `bornAtMs` on; 0 where each use is asked about first. */
  readonly lifetimeMs: number;
  /** When the response was made, as far as its age tells (RFC 9111, 4.2.3). */
  readonly bornAtMs: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Names of the request's headers that chose this response. */
  readonly vary: readonly string[];
}

/** Statuses that are kept without a word of the server's, if they can be used again (RFC 9110, 15.1). */
const cacheableByDefault = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** Statuses whose freshness browsers guess from Last-Modified. */
const guessed = new Set([200, 203]);
/** Statuses that browsers take for final where the server says nothing. */
const permanent = new Set([300, 301, 308, 410]);
/** A share of the time since the last change, as RFC 9111 suggests (4.2.2) and browsers do. */
const guessedShare = 0.1;

/** Null where the response must not be kept, or keeping it would never save anything. */
export function cachePolicy(
  status: number,
  headers: readonly string[],
  times: ExchangeTimes,
): CachePolicy | null {
  const directives = cacheDirectives(headers);
  if (directives.has("no-store")) return null;
  const vary = headerValues(headers, "vary").flatMap((value) =>
    value.split(",").map((name) => name.trim().toLowerCase()),
  );
  if (vary.includes("*")) return null;
  const dateMs = httpDateMs(headerValues(headers, "date")[0]) ?? times.receivedAtMs;
  const lifetimeMs = lifetime(status, headers, directives, dateMs);
  const etag = validator(headers, "etag");
  const lastModified = validator(headers, "last-modified");
  if (!isStorable(status, headers, directives)) return null;
  if (lifetimeMs === 0 && etag === null && lastModified === null) return null;
  return {
    lifetimeMs,
    bornAtMs: times.receivedAtMs - initialAge(headers, dateMs, times),
    etag,
    lastModified,
    vary: vary.filter((name) => name !== ""),
  };
}

/** Returns true if a response may be used without asking the server, for a request that accepts an age of `maxAgeMs`. */
export function isFresh({ lifetimeMs, bornAtMs }: CachePolicy, nowMs: number, maxAgeMs: number): boolean {
  return nowMs - bornAtMs < Math.min(lifetimeMs, maxAgeMs);
}

/** RFC 9111, 3, for a private cache. */
function isStorable(
  status: number,
  headers: readonly string[],
  directives: ReadonlyMap<string, string>,
): boolean {
  if (status < 200 || status === 206 || status === 304) return false;
  if (cacheableByDefault.has(status)) return true;
  return (
    directives.has("max-age") ||
    directives.has("public") ||
    directives.has("private") ||
    headerValues(headers, "expires").length > 0
  );
}

/** RFC 9111, 4.2.1; `s-maxage` is for shared caches. */
function lifetime(
  status: number,
  headers: readonly string[],
  directives: ReadonlyMap<string, string>,
  dateMs: number,
): number {
  const isOldNoCache = headerValues(headers, "pragma").some((value) => /\bno-cache\b/i.test(value));
  if (directives.has("no-cache") || isOldNoCache) return 0;
  const maxAge = directives.get("max-age");
  if (maxAge !== undefined) return (wholeSeconds(maxAge) ?? 0) * 1000;
  const [expires] = headerValues(headers, "expires");
  if (expires !== undefined) return Math.max(0, (httpDateMs(expires) ?? 0) - dateMs);
  if (directives.has("must-revalidate")) return 0;
  if (permanent.has(status)) return Infinity;
  const lastModifiedMs = httpDateMs(headerValues(headers, "last-modified")[0]);
  if (lastModifiedMs === null || !guessed.has(status)) return 0;
  return Math.max(0, dateMs - lastModifiedMs) * guessedShare;
}

/** RFC 9111, 4.2.3: how old the response was when it came. */
function initialAge(
  headers: readonly string[],
  dateMs: number,
  { requestedAtMs, receivedAtMs }: ExchangeTimes,
): number {
  const ageMs = (wholeSeconds(headerValues(headers, "age")[0] ?? "") ?? 0) * 1000;
  return Math.max(0, receivedAtMs - dateMs, ageMs + receivedAtMs - requestedAtMs);
}

function validator(headers: readonly string[], name: string): string | null {
  const [value = ""] = headerValues(headers, name);
  return value === "" ? null : value;
}
