import { setNewest } from "@bearhug/metrics/set-newest";

import { SharedBody, type ReceivedBody, joined } from "../response/shared-body.ts";
import {
  cacheDirectives,
  confirmedHeaders,
  headerValues,
  wholeSeconds,
  cachePolicy,
  isFresh,
  type CachePolicy,
  type ExchangeTimes,
} from "./cache-policy.ts";

/** The parts of a request that a cache uses. */
export interface CacheableRequest {
  readonly method: string;
  readonly url: URL;
  /** Names and values in turn: all headers that are sent, including cookies. */
  readonly headers: readonly string[];
  /** True if the response's body may be missing. */
  readonly discardsBody: boolean;
}

export interface CachedResponse {
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** As received, before decoding; null if bodies are discarded. */
  readonly body: SharedBody | null;
}

/** A cached response with its caching rules. */
export interface CacheEntry {
  readonly key: string;
  readonly response: CachedResponse;
  readonly policy: CachePolicy;
  /** The values of the request headers that selected it, in the order of `policy.vary`. */
  readonly chosenBy: readonly string[];
}

/** The cache's result for a request: a response, a response to revalidate, or nothing. */
export type CacheLookup =
  | { readonly kind: "fresh"; readonly response: CachedResponse }
  | { readonly kind: "stale"; readonly entry: CacheEntry; readonly conditionalHeaders: readonly string[] }
  | { readonly kind: "miss" };

/** The limits of one visitor's cache, and of one response in it. */
export const maxEntries = 256;
export const maxBytes: number = 16 * 1024 * 1024;
const maxEntryBytes = maxBytes / 4;

const miss: CacheLookup = { kind: "miss" };
/** Requests with one of these headers bypass the cache. */
const ownConditions = [
  "if-none-match",
  "if-modified-since",
  "if-match",
  "if-unmodified-since",
  "if-range",
  "range",
];
const safeMethods = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** The private cache of one VU (RFC 9111), like the browser cache of a returning visitor. */
export class BrowserCache {
  readonly #bodies: CachedBodies;
  /** Least recently used first; null until there is an entry. */
  #entries: Map<string, CacheEntry> | null = null;
  #bytes = 0;

  constructor(bodies: CachedBodies) {
    this.#bodies = bodies;
  }

  lookup(request: CacheableRequest, nowMs: number): CacheLookup {
    const { method, headers } = request;
    if (this.#entries === null || (method !== "GET" && method !== "HEAD")) return miss;
    const entry = this.#entries.get(keyOf(request.url));
    if (entry === undefined || !isChosen(entry, request) || hasOwnConditions(headers)) return miss;
    const directives = cacheDirectives(headers);
    const isOldNoCache = headerValues(headers, "pragma").includes("no-cache");
    if (directives.has("no-cache") || directives.has("no-store") || isOldNoCache) return miss;
    const maxAge = wholeSeconds(directives.get("max-age") ?? "");
    this.#use(entry);
    if (isFresh(entry.policy, nowMs, maxAge === null ? Infinity : maxAge * 1000)) {
      const { response } = entry;
      return { kind: "fresh", response: method === "GET" ? response : { ...response, body: noBytes } };
    }
    const conditionalHeaders = conditions(entry.policy);
    return method === "HEAD" || conditionalHeaders.length === 0
      ? miss
      : { kind: "stale", entry, conditionalHeaders };
  }

  /**
   * Processes a complete response from the network: stores it, or removes the entries that it invalidates.
   * `body` is null if it was discarded.
   */
  store(
    request: CacheableRequest,
    response: { readonly status: number; readonly rawHeaders: readonly string[] },
    body: ReceivedBody | null,
    times: ExchangeTimes,
  ): void {
    const { method, url, headers } = request;
    if (!safeMethods.has(method)) this.#invalidate(url, response.status, response.rawHeaders);
    if (method !== "GET" || hasOwnConditions(headers) || cacheDirectives(headers).has("no-store")) return;
    const { status, rawHeaders } = response;
    const policy = cachePolicy(status, rawHeaders, times);
    const key = keyOf(url);
    if (policy === null || (body !== null && sizeOfBody(body) > maxEntryBytes)) {
      this.#forget(key);
      return;
    }
    const kept = body === null ? null : this.#bodies.share(key, body);
    const chosenBy = policy.vary.map((name) => chosenValue(headers, name));
    this.#keep({ key, response: { status, rawHeaders, body: kept }, policy, chosenBy });
  }

  /** Updates a stale entry that a 304 confirmed. Returns the response that the test sees. */
  revalidated(entry: CacheEntry, headers: readonly string[], times: ExchangeTimes): CachedResponse {
    const { status, body } = entry.response;
    const response = { status, body, rawHeaders: confirmedHeaders(entry.response.rawHeaders, headers) };
    const policy = cachePolicy(status, response.rawHeaders, times);
    if (policy === null) this.#forget(entry.key);
    else this.#keep({ ...entry, response, policy: { ...policy, vary: entry.policy.vary } });
    return response;
  }

  /** Removes all entries, for a new visitor. */
  clear(): void {
    this.#entries = null;
    this.#bytes = 0;
  }

  /** Removes the entries that a successful unsafe request may have changed (RFC 9111, 4.4). */
  #invalidate(url: URL, status: number, headers: readonly string[]): void {
    if (status > 399) return;
    this.#forget(keyOf(url));
    for (const value of [
      ...headerValues(headers, "location"),
      ...headerValues(headers, "content-location"),
    ]) {
      const other = URL.parse(value, url.href);
      if (other?.origin === url.origin) this.#forget(keyOf(other));
    }
  }

  #keep(entry: CacheEntry): void {
    this.#forget(entry.key);
    const entries = (this.#entries ??= new Map<string, CacheEntry>());
    entries.set(entry.key, entry);
    this.#bytes += sizeOf(entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  #use(entry: CacheEntry): void {
    this.#entries?.delete(entry.key);
    this.#entries?.set(entry.key, entry);
  }

  #forget(key: string): void {
    const entry = this.#entries?.get(key);
    if (entry === undefined) return;
    this.#entries?.delete(key);
    this.#bytes -= sizeOf(entry);
  }
}

const noBytes = new SharedBody(Buffer.alloc(0));

function keyOf({ href, hash }: URL): string {
  return hash === "" && !href.endsWith("#") ? href : href.slice(0, href.indexOf("#"));
}

/** Returns true if the entry fits the request (RFC 9111, 4.1), and has a body if the request needs one. */
function isChosen({ policy, chosenBy, response }: CacheEntry, request: CacheableRequest): boolean {
  if (response.body === null && !request.discardsBody && request.method === "GET") return false;
  return policy.vary.every((name, index) => chosenValue(request.headers, name) === chosenBy[index]);
}

function chosenValue(headers: readonly string[], name: string): string {
  return headerValues(headers, name).join(", ");
}

function hasOwnConditions(headers: readonly string[]): boolean {
  return ownConditions.some((name) => headerValues(headers, name).length > 0);
}

/** Returns the headers to revalidate an entry (RFC 9111, 4.3.1). Browsers send both. */
function conditions({ etag, lastModified }: CachePolicy): string[] {
  return [
    ...(etag === null ? [] : ["if-none-match", etag]),
    ...(lastModified === null ? [] : ["if-modified-since", lastModified]),
  ];
}

function sizeOf({ key, response: { rawHeaders, body } }: CacheEntry): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, key.length + (body?.wire.length ?? 0));
}

function sizeOfBody(body: ReceivedBody): number {
  return body instanceof SharedBody ? body.wire.length : body.reduce((sum, piece) => sum + piece.length, 0);
}

/** The number of addresses whose last body is remembered. */
const maxRemembered = 4096;

/** Bodies in the caches of a worker's VUs: equal bodies of thousands of visitors are stored once. */
export class CachedBodies {
  readonly #last = new Map<string, WeakRef<SharedBody>>();

  /** Returns a body with these bytes, which all caches share. */
  share(address: string, received: ReceivedBody): SharedBody {
    const last = this.#last.get(address)?.deref();
    if (last !== undefined && (last === received || last.isMadeOf(piecesOf(received)))) return last;
    const body = received instanceof SharedBody ? received : new SharedBody(joined(received));
    setNewest(this.#last, address, new WeakRef(body), maxRemembered);
    return body;
  }
}

function piecesOf(received: ReceivedBody): readonly Uint8Array[] {
  return received instanceof SharedBody ? [received.wire] : received;
}
