import {
  BrowserCache,
  type CacheLookup,
  type CachedResponse,
  CachedBodies,
} from "../../src/session/browser-cache.ts";

export interface CacheRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: readonly string[];
  readonly discardsBody?: boolean;
}

export const page = "http://shop.example/style.css";
const startMs = Date.UTC(2026, 0, 1);
export const fresh = [
  "Cache-Control",
  "max-age=60",
  "ETag",
  '"v1"',
  "Last-Modified",
  "Wed, 31 Dec 2025 00:00:00 GMT",
];

/** Makes a visitor with a cache; its clock moves only with `wait`. */
export function visitor(bodies = new CachedBodies()) {
  const cache = new BrowserCache(bodies);
  let nowMs = startMs;
  const request = ({ method = "GET", url = page, headers = [], discardsBody = false }: CacheRequest) => ({
    method,
    url: new URL(url),
    headers,
    discardsBody,
  });
  const times = () => ({ requestedAtMs: nowMs, receivedAtMs: nowMs });
  return {
    cache,
    lookUp: (asked: CacheRequest = {}): CacheLookup => cache.lookup(request(asked), nowMs),
    store: (
      asked: CacheRequest,
      status: number,
      rawHeaders: readonly string[],
      body: string | null = "body",
    ) => {
      const pieces = body === null ? null : [Buffer.from(body)];
      cache.store(request(asked), { status, rawHeaders }, pieces, times());
    },
    revalidate: (found: CacheLookup, headers: readonly string[]): CachedResponse => {
      if (found.kind !== "stale") throw new Error(`expected a stale response, not a ${found.kind} one`);
      return cache.revalidated(found.entry, headers, times());
    },
    wait: (seconds: number) => {
      nowMs += seconds * 1000;
    },
  };
}

export const text = ({ body }: CachedResponse): string | null =>
  body === null ? null : body.wire.toString();
