import type { CapturedRequest } from "../../src/index.ts";
import { entryOf, importEntries, requestsOf, shownValue } from "../har-file.ts";

/** The fields of a request and its response that a test sets. */
export interface Exchange {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly response?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly html?: string;
    readonly json?: unknown;
    readonly script?: string;
    /** True if the capture lacks the body. */
    readonly isUnrecorded?: boolean;
  };
}

const startMs = Date.parse("2026-01-01T00:00:00Z");

/** Returns when the request with this index was recorded. */
export function sentAtMs(number: number): number {
  return startMs + number * 5_000;
}

/** Imports a capture of these exchanges, five seconds apart, and returns its requests in sending order. */
export async function requestsFrom(...exchanges: readonly Exchange[]): Promise<CapturedRequest[]> {
  return requestsOf(await importEntries(exchanges.map(toEntry)));
}

/** Returns the capture's entry with this index. */
export function toEntry({ path, ...exchange }: Exchange, number: number): Record<string, unknown> {
  const { method = exchange.form === undefined && exchange.json === undefined ? "GET" : "POST" } = exchange;
  return entryOf(new URL(path, "https://shop.example/").href, {
    startedDateTime: new Date(sentAtMs(number)).toISOString(),
    request: {
      method,
      headers: pairs(exchange.headers),
      cookies: pairs(exchange.cookies),
      ...postDataOf(exchange),
    },
    response: responseOf(exchange.response ?? {}),
  });
}

function postDataOf({ form, json }: Omit<Exchange, "path">): Record<string, unknown> {
  if (form !== undefined) {
    const text = new URLSearchParams(form).toString();
    return { postData: { mimeType: "application/x-www-form-urlencoded", text } };
  }
  return json === undefined ? {} : { postData: { mimeType: "application/json", text: JSON.stringify(json) } };
}

function responseOf(response: NonNullable<Exchange["response"]>): Record<string, unknown> {
  const { status = 200, headers = {}, html, json, script, isUnrecorded = false } = response;
  const [type, text] =
    json !== undefined
      ? ["application/json", JSON.stringify(json)]
      : script === undefined
        ? ["text/html", html ?? "<html>"]
        : ["text/javascript", script];
  const content = { size: text.length, mimeType: type, ...(isUnrecorded ? {} : { text }) };
  return {
    status,
    headers: pairs({ "content-type": type, ...headers }),
    content,
    redirectURL: headers["location"] ?? "",
  };
}

function pairs(record: Readonly<Record<string, string>> = {}): { name: string; value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/** Returns the values that a request sends, by name, and its whole path. Parts known only at run time are in braces. */
export function sent(request: CapturedRequest | undefined): Record<string, string> {
  if (request === undefined) return {};
  const { path, query, headers, body } = request;
  const named = [...query, ...headers, ...(body?.kind === "form" ? body.fields : [])];
  return {
    path: `/${path.map(shownValue).join("/")}`,
    ...Object.fromEntries(named.map((atom) => [atom.name, shownValue(atom)])),
    ...(body?.kind === "json" && body.root.kind === "object"
      ? Object.fromEntries(
          body.root.fields.flatMap(([key, shape]) =>
            shape.kind === "string" || shape.kind === "number" ? [[key, shownValue(shape.atom)]] : [],
          ),
        )
      : {}),
  };
}

export const token = "k3Jq9ZpX2vLm8RtW5yBn";
export const otherToken = "Qw7eRt2yUi9oPa4sDf6g";
export const uuid = "3f2b8c1e-9a4d-4e7f-b6a1-0c5d2e8f7a93";
