import type { Tags } from "@bearhug/metrics/tags";
import type { TracedExchange, TracedHeaders, TracedMessage } from "@bearhug/plan/clients/tracer";

import { decodeBody, DecodingFailure } from "../response/decode-body.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { inOwnMemory, SharedBody } from "../response/shared-body.ts";
import type { Exchange } from "./exchange.ts";
import { timingsOf } from "../samples/request-samples.ts";

/** Returns the trace of an exchange that has just ended, with its whole bodies. */
export function traceExchange(
  exchange: Exchange,
  tags: Tags,
  error: TracedExchange["error"],
): TracedExchange {
  const { name, method, url, head, protocol, calledAt, bytesSent, bytesReceived } = exchange;
  return {
    tags,
    name,
    method,
    url,
    error,
    bytesSent,
    bytesReceived,
    protocol: head === null ? "" : protocol,
    status: head?.status ?? 0,
    calledAtMs: calledAt,
    timings: timingsOf(exchange, exchange.connection),
    request: requestOf(exchange),
    response: head === null ? null : responseOf(exchange, head.rawHeaders()),
  };
}

function requestOf({ request }: Exchange): TracedMessage {
  const { headers, body } = request.wire;
  return {
    headers: headersOf(headers),
    body: body instanceof Uint8Array ? body : null,
    bodyBytes: body === null ? 0 : body.length,
  };
}

function responseOf({ exemplarBody, bodyBytes }: Exchange, rawHeaders: readonly string[]): TracedMessage {
  const encoding = new RawResponseHeaders(rawHeaders).get("content-encoding") ?? "";
  const pieces = exemplarBody instanceof SharedBody ? [exemplarBody.wire] : exemplarBody;
  return {
    headers: headersOf(rawHeaders),
    body: pieces === null ? null : decoded(inOwnMemory(pieces), encoding),
    bodyBytes,
  };
}

/** Returns the bytes unchanged if they cannot be decoded. */
function decoded(bytes: Uint8Array, encoding: string): Uint8Array {
  try {
    return decodeBody(bytes, encoding);
  } catch (error) {
    if (error instanceof DecodingFailure) return bytes;
    throw error;
  }
}

function headersOf(raw: readonly string[]): TracedHeaders {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []));
}
