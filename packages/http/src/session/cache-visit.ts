import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Timings } from "@bearhug/sdk";
import { eachPhase } from "@bearhug/sdk/internal";

import type { Exchange } from "../exchange/exchange.ts";
import type { ReceivedResponse } from "../response/response.ts";
import type { BrowserCache, CacheableRequest, CacheLookup, CachedResponse } from "./browser-cache.ts";

const noHeaders: readonly string[] = [];
const noTime: Timings = { ...eachPhase(() => 0), duration: 0, responseTime: 0 };

/**
 * One lookup in a browser cache. A fresh response needs no request, a stale one must be revalidated.
 * Otherwise the cache receives the response from the network.
 */
export class CacheVisit {
  readonly #cache: BrowserCache;
  readonly #request: CacheableRequest;
  readonly #clock: Pick<Clock, "date">;
  readonly #requestedAtMs: number;
  readonly #lookup: CacheLookup;

  constructor(cache: BrowserCache, request: CacheableRequest, clock: Pick<Clock, "date">) {
    this.#cache = cache;
    this.#request = request;
    this.#clock = clock;
    this.#requestedAtMs = clock.date().getTime();
    this.#lookup = cache.lookup(request, this.#requestedAtMs);
  }

  /** The fresh cached response; null if a request must be sent. */
  get fresh(): ReceivedResponse | null {
    return this.#lookup.kind === "fresh" ? this.#keptResponse(this.#lookup.response, null) : null;
  }

  /** The headers that revalidate a stale response; empty if there is none. */
  get conditions(): readonly string[] {
    return this.#lookup.kind === "stale" ? this.#lookup.conditionalHeaders : noHeaders;
  }

  /** Hands a successful exchange to the cache. Returns the response that the test sees. */
  take(exchange: Exchange): ReceivedResponse {
    const lookup = this.#lookup;
    const times = { requestedAtMs: this.#requestedAtMs, receivedAtMs: this.#clock.date().getTime() };
    if (lookup.kind === "stale" && exchange.status === 304)
      return this.#keptResponse(this.#cache.revalidated(lookup.entry, exchange.rawHeaders, times), exchange);
    const isStorable = exchange.whyNoBody === null || exchange.whyNoBody === "discarded";
    if (isStorable) this.#cache.store(this.#request, exchange, exchange.body, times);
    return exchange;
  }

  /** `exchange`: the one that confirmed the entry; null if it was fresh. */
  #keptResponse({ status, rawHeaders, body }: CachedResponse, exchange: Exchange | null): ReceivedResponse {
    return {
      url: this.#request.url.href,
      status,
      error: null,
      protocol: exchange?.protocol ?? "",
      rawHeaders,
      body,
      whyNoBody: body === null ? "discarded" : null,
      bodyBytes: body?.wire.length ?? 0,
      bytesSent: exchange?.bytesSent ?? 0,
      bytesReceived: exchange?.bytesReceived ?? 0,
      connectionInfo: () => exchange?.connectionInfo() ?? null,
      timings: () => exchange?.timings() ?? noTime,
      fromCache: true,
    };
  }
}
