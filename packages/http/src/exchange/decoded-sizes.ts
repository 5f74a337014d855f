import type { Clock } from "@bearhug/plan/pacing/clock";

import type { Exchange } from "./exchange.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { decodeBody, DecodingFailure } from "../response/decode-body.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { joined, type ReceivedBody, SharedBody } from "../response/shared-body.ts";

/** Decoding every response would cost more than receiving it. */
const sampleEveryMs = 250;

interface KnownSize {
  readonly wireBytes: number;
  readonly decodedBytes: number;
}

/**
 * The decoded sizes of a variant's responses. Now and then one is decoded; others with the same address and
 * the same size on the wire are assumed to be equal.
 */
export class DecodedSizes {
  readonly #clock: Clock;
  readonly #known = new WeakMap<Endpoint, KnownSize>();
  /** Endpoints whose last response had a different size. */
  readonly #changed = new WeakSet<Endpoint>();
  #nextKeptMs = Number.NEGATIVE_INFINITY;
  #nextDecodedMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns true if the body of the next response should be kept. */
  wantsBody(endpoint: Endpoint): boolean {
    if (this.#known.has(endpoint) && !this.#changed.has(endpoint)) return false;
    const nowMs = this.#clock.now();
    if (nowMs < this.#nextKeptMs) return false;
    this.#nextKeptMs = nowMs + sampleEveryMs;
    return true;
  }

  /** Returns the decoded size of a response's body; null if it is unknown. */
  of(exchange: Exchange): number | null {
    const { bodyBytes: wireBytes, request, endedAt } = exchange;
    if (wireBytes === 0) return 0;
    const known = this.#known.get(request.endpoint);
    if (known?.wireBytes === wireBytes) return known.decodedBytes;
    this.#changed.add(request.endpoint);
    const body = endedAt < this.#nextDecodedMs ? null : exchange.body;
    const decodedBytes = body === null ? null : sizeOf(body, exchange);
    if (decodedBytes === null) return null;
    // Half the interval between kept bodies: a kept body is not wasted if the one before took longer.
    this.#nextDecodedMs = endedAt + sampleEveryMs / 2;
    this.#known.set(request.endpoint, { wireBytes, decodedBytes });
    this.#changed.delete(request.endpoint);
    return decodedBytes;
  }
}

function sizeOf(body: ReceivedBody, { head }: Exchange): number | null {
  const encoding = new RawResponseHeaders(head?.rawHeaders() ?? []).get("content-encoding") ?? "";
  try {
    return decodeBody(body instanceof SharedBody ? body.wire : joined(body), encoding).length;
  } catch (error) {
    if (error instanceof DecodingFailure) return null;
    throw error;
  }
}
