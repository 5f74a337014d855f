import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Timings } from "@bearhug/sdk";
import { eachPhase } from "@bearhug/sdk/internal";

import type { Exchange } from "../exchange/exchange.ts";
import type { ReceivedResponse } from "../response/response.ts";
import type { BrowserCache, CacheableRequest, CacheAnswer, CachedResponse } from "./browser-cache.ts";

const noHeaders: readonly string[] = [];
const noTime: Timings = { ...eachPhase(() => 0), duration: 0, responseTime: 0 };

/**
 * One look at a browser's cache: it has the response without asking, where that is fresh; it has one to ask about, where that is
 * stale; else it learns what comes.
 */
export class CacheVisit {
  readonly #cache: BrowserCache;
  readonly #request: CacheableRequest;
  readonly #clock: Pick<Clock, "date">;
  readonly #requestedAtMs: number;
  readonly #answer: CacheAnswer;

  constructor(cache: BrowserCache, request: CacheableRequest, clock: Pick<Clock, "date">) {
    this.#cache = cache;
    this.#request = request;
    this.#clock = clock;
    this.#requestedAtMs = clock.date().getTime();
    this.#answer = cache.lookup(request, this.#requestedAtMs);
  }

  /** The response that needs no request; null where one must be sent. */
  get fresh(): ReceivedResponse | null {
    return this.#answer.kind === "fresh" ? this.#keptResponse(this.#answer.response, null) : null;
  }

  /** Headers that ask about a stale response. */
  get conditions(): readonly string[] {
    return this.#answer.kind === "stale" ? this.#answer.conditionalHeaders : noHeaders;
  }

  /** A request that did not fail was answered: the cache keeps what it may. Returns the response that the test sees. */
  take(exchange: Exchange): ReceivedResponse {
    const answer = this.#answer;
    const times = { requestedAtMs: this.#requestedAtMs, receivedAtMs: this.#clock.date().getTime() };
    if (answer.kind === "stale" && exchange.status === 304)
      return this.#keptResponse(this.#cache.revalidated(answer.entry, exchange.rawHeaders, times), exchange);
    const isAsWanted = exchange.whyNoBody === null || exchange.whyNoBody === "discarded";
    if (isAsWanted) this.#cache.store(this.#request, exchange, exchange.body, times);
    return exchange;
  }

  /** `exchange`: the one that confirmed it; null where none was needed. */
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
