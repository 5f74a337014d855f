/** When a response was requested and when its head arrived, in wall-clock time. */
export interface ExchangeTimes {
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
}

/** How a private cache may use a response, by RFC 9111 and, where it leaves a choice, like browsers. */
export interface CachePolicy {
  /** Counted from `bornAtMs`; 0 if each use must be revalidated. */
  readonly lifetimeMs: number;
  /** When the response was generated, estimated from its age (RFC 9111, 4.2.3). */
  readonly bornAtMs: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Names of the request headers that selected this response. */
  readonly vary: readonly string[];
}

/** Statuses that are cacheable without a directive of the server (RFC 9110, 15.1). */
const cacheableByDefault = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** Statuses whose freshness browsers estimate from Last-Modified. */
const guessed = new Set([200, 203]);
/** Statuses that browsers treat as permanent if the server sends no lifetime. */
const permanent = new Set([300, 301, 308, 410]);
/** A share of the time since the last change, as RFC 9111 suggests (4.2.2) and browsers do. */
const guessedShare = 0.1;

/** Returns the policy of a response; null if it must not be stored, or storing it could never help. */
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

/** Returns true if a request that accepts an age of `maxAgeMs` can use the response without revalidation. */
export function isFresh({ lifetimeMs, bornAtMs }: CachePolicy, nowMs: number, maxAgeMs: number): boolean {
  return nowMs - bornAtMs < Math.min(lifetimeMs, maxAgeMs);
}

/** Returns true if a private cache may store the response (RFC 9111, 3). */
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

/** Returns the freshness lifetime in ms (RFC 9111, 4.2.1). Ignores `s-maxage`, which is for shared caches. */
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

/** Returns the age of the response on arrival, in ms (RFC 9111, 4.2.3). */
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

/** Returns a header's values from a list of names and values in turn. */
export function headerValues(headers: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let position = 0; position + 1 < headers.length; position += 2) {
    const known = headers[position] ?? "";
    if (known.length === name.length && known.toLowerCase() === name) {
      values.push((headers[position + 1] ?? "").trim());
    }
  }
  return values;
}

/** Returns the `cache-control` directives, names in lower case, values unquoted. The first of a name wins. */
export function cacheDirectives(headers: readonly string[]): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const value of headerValues(headers, "cache-control")) {
    for (const [directive] of value.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g)) {
      const equals = directive.indexOf("=");
      const name = (equals < 0 ? directive : directive.slice(0, equals)).trim().toLowerCase();
      const argument = equals < 0 ? "" : directive.slice(equals + 1).trim();
      if (!directives.has(name)) directives.set(name, argument.replace(/^"(.*)"$/, "$1"));
    }
  }
  return directives;
}

/** The value that RFC 9111 prescribes for numbers that are too large (1.2.2). */
const maxSeconds = 2 ** 31;

/** Returns null if the text is not a whole number of seconds. */
export function wholeSeconds(text: string): number | null {
  return /^\d+$/.test(text) ? Math.min(Number(text), maxSeconds) : null;
}

/** The three forms of RFC 9110 (5.6.7): `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`, `Sun Nov  6 08:49:37 1994`. */
const zoned = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} (?:GMT|UTC)$/i;
const asctime = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/** Returns null if the text is not an HTTP date: `Date.parse` alone would read "0" as the year 2000. */
export function httpDateMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const isZoned = zoned.test(text);
  if (!isZoned && !asctime.test(text)) return null;
  const dateMs = Date.parse(isZoned ? text : `${text} GMT`);
  return Number.isNaN(dateMs) ? null : dateMs;
}

/** Headers of the message or its connection, which do not update a stored response (RFC 9111, 3.2). */
const notOfStored = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authentication-info",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "set-cookie",
  "content-length",
  "content-encoding",
  "content-range",
  "content-type",
  "content-md5",
]);

/** Returns the headers of a stored response, updated by the 304 that confirmed it. */
export function confirmedHeaders(stored: readonly string[], confirming: readonly string[]): string[] {
  const updates: string[] = [];
  const replaced = new Set<string>();
  for (let position = 0; position + 1 < confirming.length; position += 2) {
    const name = (confirming[position] ?? "").toLowerCase();
    if (notOfStored.has(name)) continue;
    replaced.add(name);
    updates.push(confirming[position] ?? "", confirming[position + 1] ?? "");
  }
  const headers: string[] = [];
  for (let position = 0; position + 1 < stored.length; position += 2) {
    const name = stored[position] ?? "";
    if (!replaced.has(name.toLowerCase())) headers.push(name, stored[position + 1] ?? "");
  }
  return [...headers, ...updates];
}
