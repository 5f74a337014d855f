import type { ExchangeExemplar, ExemplarMessage, ExemplarsResult } from "@bearhug/sdk/internal";

import { bodyKindUnder } from "../body-kind.ts";
import type { Hide } from "../secret-mask.ts";

/** Masks secrets in exemplars. Their worker has masked the texts before, then cut them. */
export function maskExemplars({ pages, errors }: ExemplarsResult, mask: Hide): ExemplarsResult {
  return {
    pages: pages.map((visit) => ({
      ...visit,
      page: mask(visit.page),
      scenario: mask(visit.scenario),
      exchanges: visit.exchanges.map((exchange) => maskExchange(exchange, mask)),
    })),
    errors: errors.map((exchange) => ({
      ...maskExchange(exchange, mask),
      message: mask(exchange.message),
      scenario: mask(exchange.scenario),
      page: exchange.page === null ? null : mask(exchange.page),
      request: maskMessage(exchange.request, mask),
      response: exchange.response && maskMessage(exchange.response, mask),
    })),
  };
}

function maskExchange<Exchange extends ExchangeExemplar>(exchange: Exchange, mask: Hide): Exchange {
  const { name, url, traceId } = exchange;
  // A test may give its own `traceparent`.
  const trace = traceId === undefined ? {} : { traceId: mask(traceId) };
  return { ...exchange, name: mask(name), url: mask(url), ...trace };
}

function maskMessage({ headers, body }: ExemplarMessage, mask: Hide): ExemplarMessage {
  const kind = bodyKindUnder(headers);
  return {
    headers: headers.map(([name, value]) => [mask(name), mask(value)]),
    body: body && { ...body, text: body.text === null ? null : mask(body.text, kind) },
  };
}
