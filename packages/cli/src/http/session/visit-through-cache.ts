import type { Timings } from "@bearhug/sdk";
import { eachPhase } from "@bearhug/sdk/internal";

import type { Clock } from "../../pacing/clock.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { ReceivedResponse } from "../response/response.ts";
import type { BrowserCache, CacheableRequest, CachedResponse } from "./browser-cache.ts";

const noTime: Timings = { ...eachPhase(() => 0), duration: 0, responseTime: 0 };

/**
 * What a browser would show for a request: what it has kept, without asking, where that is fresh; what it has kept,
 * asked about, where it is stale; else what comes. `send` makes the request, with headers that the cache adds. A request that
 * has failed is not kept.
 */
export async function visitThroughCache(
  cache: BrowserCache,
  request: CacheableRequest,
  clock: Pick<Clock, "date">,
  send: (
    conditions: readonly string[],
  ) => Promise<{ readonly exchange: Exchange; readonly hasFailed: boolean }>,
): Promise<ReceivedResponse> {
  const requestedAtMs = clock.date().getTime();
  const answer = cache.lookup(request, requestedAtMs);
  if (answer.kind === "fresh") return keptResponse(request.url, answer.response, null);
  const { exchange, hasFailed } = await send(answer.kind === "stale" ? answer.conditionalHeaders : []);
  if (hasFailed) return exchange;
  const times = { requestedAtMs, receivedAtMs: clock.date().getTime() };
  if (answer.kind === "stale" && exchange.status === 304) {
    const confirmed = cache.revalidated(answer.entry, exchange.rawHeaders, times);
    return keptResponse(request.url, confirmed, exchange);
  }
  const isAsWanted = exchange.whyNoBody === null || exchange.whyNoBody === "discarded";
  if (isAsWanted) cache.store(request, exchange, exchange.body, times);
  return exchange;
}

/** `exchange`: the one that confirmed it; null where none was needed. */
function keptResponse(url: URL, kept: CachedResponse, exchange: Exchange | null): ReceivedResponse {
  const { status, rawHeaders, body } = kept;
  return {
    url: url.href,
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
