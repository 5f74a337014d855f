import type { WatchedExchange } from "@bearhug/metrics/exemplar-log";
import type { Tags } from "@bearhug/metrics/tags";
import { displayHeader } from "@bearhug/plan/clients/display-header";
import { eachPhase } from "@bearhug/sdk/internal";
import type { ExchangeExemplar, ExemplarMessage, FailedExchange } from "@bearhug/sdk/result";
import { capName } from "@bearhug/text/cap-text";
import type { Mask } from "@bearhug/text/secret-mask";

import { traceIdOf } from "../request/traceparent.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { requestExcerpt, responseExcerpt, type BodyForm } from "./body-excerpt.ts";
import type { Exchange } from "./exchange.ts";
import { timingsOf } from "../samples/request-samples.ts";

/** Failed exchanges keep more of the URL, to be sent again. A page may have thousands of exchanges. */
const maxUrlCharacters = 2000;
const maxUrlCharactersInPage = 256;
const maxHeaders = 30;
const maxHeaderCharacters = 256;

/** An ended exchange. Its description is made only if it becomes an exemplar. */
export class EndedExchange implements WatchedExchange {
  readonly #exchange: Exchange;
  readonly #code: string | null;
  readonly #mask: Mask;

  /** `code`: of its error; null if it succeeded. */
  constructor(exchange: Exchange, code: string | null, mask: Mask) {
    this.#exchange = exchange;
    this.#code = code;
    this.#mask = mask;
  }

  describe(originMs: number): ExchangeExemplar {
    const url = this.#mask.excerptWithEllipsis(this.#exchange.url, maxUrlCharactersInPage);
    return { ...describeExchange(this.#exchange, originMs, this.#mask), url, code: this.#code };
  }
}

/** The facts about a failure that its exchange does not have. */
export interface FailureContext {
  readonly code: string;
  readonly message: string;
  /** Tags of the place in the test. */
  readonly tags: Tags;
  /** The start of the load, by the clock of the stamps. */
  readonly startedAtMs: number;
}

/** Describes a failed exchange, with its headers and the beginning of its bodies. */
export function describeFailed(
  exchange: Exchange,
  { code, message, tags, startedAtMs }: FailureContext,
  mask: Mask,
): FailedExchange {
  const { request, head, exemplarBody, bodyBytes } = exchange;
  const { headers, body: sent } = request.wire;
  return {
    ...describeExchange(exchange, startedAtMs, mask),
    url: mask.excerptWithEllipsis(exchange.url, maxUrlCharacters),
    code,
    message,
    scenario: tags["scenario"] ?? "",
    page: tags["page"] ?? null,
    request: { headers: shownHeaders(headers, mask), body: requestExcerpt(sent, formOf(headers), mask) },
    response:
      head === null
        ? null
        : describeResponse(
            head.rawHeaders(),
            (form) => responseExcerpt(exemplarBody, bodyBytes, form, mask),
            mask,
          ),
  };
}

function describeResponse(
  headers: readonly string[],
  bodyOf: (form: BodyForm) => ExemplarMessage["body"],
  mask: Mask,
): ExemplarMessage {
  return { headers: shownHeaders(headers, mask), body: bodyOf(formOf(headers)) };
}

function describeExchange(
  exchange: Exchange,
  originMs: number,
  mask: Mask,
): Omit<ExchangeExemplar, "code" | "url"> {
  const { name, method, head, protocol, calledAt, bytesSent, bytesReceived } = exchange;
  const phases = timingsOf(exchange, exchange.connection);
  const traceId = traceIdOf(exchange.request.wire.headers);
  return {
    name: capName(name, mask.hide),
    method,
    status: head?.status ?? 0,
    protocol: head === null ? "" : protocol,
    atMs: rounded(Math.max(0, calledAt - originMs)),
    phases: eachPhase((phase) => rounded(phases[phase])),
    bytesSent,
    bytesReceived,
    ...(traceId === null ? {} : { traceId }),
  };
}

/** Rounds to microseconds, like all recorded times. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function formOf(headers: readonly string[]): BodyForm {
  const read = new RawResponseHeaders(headers);
  return {
    contentType: read.get("content-type") ?? "",
    contentEncoding: read.get("content-encoding") ?? "",
  };
}

/** Returns names and values. Credentials are masked, except for their scheme. */
function shownHeaders(headers: readonly string[], mask: Mask): ExemplarMessage["headers"] {
  return new RawResponseHeaders(headers)
    .entries()
    .slice(0, maxHeaders)
    .map(([name, value]) => displayHeader(name, value, mask, maxHeaderCharacters));
}
