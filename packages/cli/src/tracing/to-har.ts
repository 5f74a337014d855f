import { STATUS_CODES } from "node:http";

import { sumBy } from "@bearhug/metrics/sum";
import { bodyKindOfHeaders } from "@bearhug/plan/body-kind";
import type { TracedExchange, TracedMessage } from "@bearhug/plan/clients/tracer";
import type { HttpPhase } from "@bearhug/sdk";
import { openingPhases, phaseNames } from "@bearhug/sdk/internal";
import { headerValue } from "@bearhug/text/header-value";
import type { TextKind } from "@bearhug/text/secrets/find-named-secrets";
import { version } from "@bearhug/text/version";
import type { Content, Cookie, Entry, Har, Page, PostData } from "har-format";

import { readText } from "./read-text.ts";

/** Masks a text, or leaves it as it is. */
type Hide = (text: string, kind: TextKind) => string;

/**
 * Converts exchanges to a capture in the format HAR 1.2, which browsers can open. `dateOf` converts the
 * exchanges' clock to dates.
 */
export function toHar(
  exchanges: readonly TracedExchange[],
  { hide, dateOf }: { readonly hide: Hide; readonly dateOf: (clockMs: number) => Date },
): Har {
  const sorted = exchanges.toSorted((a, b) => a.calledAtMs - b.calledAtMs);
  const pages = new Map<string, Page>();
  const entries = sorted.map((exchange) => {
    const startedDateTime = dateOf(exchange.calledAtMs).toISOString();
    return toEntry(maskExchange(exchange, hide), startedDateTime, pageOf(exchange, startedDateTime, pages));
  });
  return {
    log: { version: "1.2", creator: { name: "bearhug", version }, pages: [...pages.values()], entries },
  };
}

/** Masks an exchange, except bodies that are not text. */
function maskExchange(exchange: TracedExchange, hide: Hide): TracedExchange {
  const { url, request, response } = exchange;
  const message = ({ headers, body, bodyBytes }: TracedMessage): TracedMessage => {
    const text = body === null ? null : readText(body);
    return {
      headers: headers.map(([name, value]) => [name, hide(value, "prose")]),
      body: text === null ? body : Buffer.from(hide(text, bodyKindOfHeaders(headers))),
      bodyBytes,
    };
  };
  return {
    ...exchange,
    url: hide(url, "prose"),
    request: message(request),
    response: response === null ? null : message(response),
  };
}

/** Returns the id of the exchange's page, and adds the page if it is new; undefined outside of pages. */
function pageOf(
  { tags }: TracedExchange,
  startedDateTime: string,
  pages: Map<string, Page>,
): string | undefined {
  const { scenario = "", page } = tags;
  if (page === undefined || page === "") return undefined;
  const key = JSON.stringify([scenario, page]);
  const known = pages.get(key);
  if (known !== undefined) return known.id;
  const id = `page_${pages.size + 1}`;
  pages.set(key, {
    id,
    title: `${scenario}: ${page}`,
    startedDateTime,
    pageTimings: { onContentLoad: -1, onLoad: -1 },
  });
  return id;
}

function toEntry(exchange: TracedExchange, startedDateTime: string, pageref: string | undefined): Entry {
  const { method, url, protocol, status, error, request, response } = exchange;
  const timings = toTimings(exchange);
  const httpVersion = protocol === "" ? "unknown" : protocol;
  return {
    ...(pageref === undefined ? {} : { pageref }),
    startedDateTime,
    time: timings.blocked + timings.dns + timings.connect + timings.send + timings.wait + timings.receive,
    request: {
      method,
      url,
      httpVersion,
      cookies: request.headers.flatMap(([name, value]) =>
        name.toLowerCase() === "cookie" ? value.split(/; */).map(toCookie) : [],
      ),
      headers: toHeaders(request),
      queryString: Array.from(URL.parse(url)?.searchParams ?? [], ([name, value]) => ({ name, value })),
      ...postDataOf(request),
      headersSize: -1,
      bodySize: request.bodyBytes ?? -1,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? "",
      httpVersion,
      cookies: (response?.headers ?? []).flatMap(([name, value]) =>
        name.toLowerCase() === "set-cookie" ? [toCookie(value.split(";", 1)[0] ?? "")] : [],
      ),
      headers: response === null ? [] : toHeaders(response),
      content: contentOf(response),
      redirectURL: response === null ? "" : (headerValue(response.headers, "location") ?? ""),
      headersSize: -1,
      bodySize: response?.bodyBytes ?? -1,
      ...(error !== null && status === 0 ? { _error: error.code } : {}),
    },
    cache: {},
    timings,
  };
}

/** HAR has one phase for all between sending and receiving. */
const waitingPhases = phaseNames.slice(phaseNames.indexOf("sending") + 1, phaseNames.indexOf("receiving"));

type Phase = "blocked" | "dns" | "connect" | "ssl" | "send" | "wait" | "receive";

/**
 * Converts timings to those of HAR, where `blocked` excludes the opening of a connection, and `connect`
 * includes TLS.
 */
function toTimings({ timings }: TracedExchange): Record<Phase, number> {
  const { blocked, lookingUp, tlsHandshaking, sending, receiving } = timings;
  const sumOf = (phases: readonly HttpPhase[]): number => sumBy(phases, (phase) => timings[phase]);
  const opening = sumOf(openingPhases);
  return {
    blocked: Math.max(0, blocked - opening),
    dns: lookingUp,
    connect: opening - lookingUp,
    ssl: tlsHandshaking,
    send: Math.max(0, sending),
    wait: Math.max(0, sumOf(waitingPhases)),
    receive: receiving,
  };
}

function toHeaders({ headers }: TracedMessage): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function toCookie(pair: string): Cookie {
  const [name = "", ...value] = pair.split("=");
  return { name: name.trim(), value: value.join("=").trim() };
}

function postDataOf(request: TracedMessage): { postData?: PostData } {
  const { body } = request;
  if (body === null || body.length === 0) return {};
  const mimeType = headerValue(request.headers, "content-type") ?? "application/octet-stream";
  const text = readText(body);
  return { postData: { mimeType, text: text ?? Buffer.from(body).toString("latin1") } };
}

function contentOf(response: TracedMessage | null): Content {
  if (response === null) return { size: 0, mimeType: "x-unknown" };
  const { body, bodyBytes } = response;
  const mimeType = headerValue(response.headers, "content-type") ?? "application/octet-stream";
  if (body === null) return { size: bodyBytes ?? 0, mimeType };
  const text = readText(body);
  return text === null
    ? { size: body.length, mimeType, text: Buffer.from(body).toString("base64"), encoding: "base64" }
    : { size: body.length, mimeType, text };
}
