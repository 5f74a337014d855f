import { z } from "@bearhug/sdk/internal";

import {
  splitCookie,
  type CaptureEntry,
  type EntryBody,
  type EntryResponse,
  type Header,
  headerOf,
  type PostData,
} from "../capture.ts";
import { isBase64 } from "../base64.ts";
import { byteCount, list, text, textOrNumber, anything } from "./json-fields.ts";

const headerSchema = z.compile(
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
  }),
);

/**
 * Reads headers from a list of any values. Splits repeated headers, which Chrome joins by line breaks.
 *
 * @param known Headers read before.
 */
export function readHeaders(list: readonly unknown[], known: KnownHeaders): Header[] {
  const headers = list.flatMap((raw) => {
    const header = headerSchema.safeParse(raw);
    if (!header.success) return [];
    const name = header.data.name.trim();
    return header.data.value.split(/\r\n|\n|\r/).map((line) => known.intern([name, line.trim()]));
  });
  // A copy has no spare capacity; a list that grew has room for 17 items, in each of 100,000 entries.
  return [...headers];
}

/** Longer headers, and those that come after this many, seldom repeat. */
const maxLength = 500;
const maxKnown = 20_000;

/**
 * Shares one copy of equal headers: most headers of a capture repeat, and in a large one they take most of
 * the memory.
 */
export class KnownHeaders {
  readonly #known = new Map<string, Header>();

  intern(header: Header): Header {
    const [name, value] = header;
    if (name.length + value.length > maxLength) return header;
    // No name has a line break in it.
    const text = `${name}\n${value}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size < maxKnown) this.#known.set(text, header);
    return header;
  }
}

/** Any spelling that names QUIC counts: `http/2.0+quic/46` ran on it, too. */
const http3 = /^(?:h3\b|http\/3|3(?:\.0)?$)|quic/;
const http2 = /^(?:h2c?\b|http\/2|2(?:\.0)?$|spdy)/;
const http1 = /^(?:http\/)?[01](?:\.\d)?$/;

/** Returns the HTTP version, from the first of the recorder's spellings that states one. */
export function readProtocol(
  spellings: readonly string[],
  requestHeaders: readonly Header[],
): CaptureEntry["protocol"] {
  for (const spelling of spellings) {
    const written = spelling.trim().toLowerCase();
    if (http3.test(written)) return "http/3";
    if (http2.test(written)) return "http/2";
    if (http1.test(written)) return "http/1";
  }
  // Pseudo-headers mean HTTP/2: HTTP/3 has them, too, but a recorder that writes them also writes that
  // version.
  return requestHeaders.some(([name]) => name.startsWith(":")) ? "http/2" : "";
}

const postDataSchema = z.compile(
  z.object({ mimeType: text, text, encoding: text, params: list }).nullable().catch(null),
);

const paramSchema = z.compile(
  z.object({
    name: z.string(),
    value: textOrNumber,
    fileName: z.string().nullable().catch(null),
    contentType: z.string().nullable().catch(null),
  }),
);

/**
 * Reads the body of a request; null if there is none.
 *
 * @param contentType The request's Content-Type header: some recorders leave out the body's own type.
 */
export function readPostData(
  raw: unknown,
  contentType: string,
  report: (field: string, problem: string) => void,
): PostData | null {
  const postData = postDataSchema.parse(raw);
  if (postData === null) return null;
  const params = postData.params.flatMap((rawParam) => {
    const param = paramSchema.safeParse(rawParam);
    return param.success ? [param.data] : [];
  });
  const { mimeType, text: sent, encoding } = postData;
  const isMarkedBase64 = encoding.toLowerCase() === "base64";
  const isDecodable = isMarkedBase64 && isBase64(sent);
  if (isMarkedBase64 && !isDecodable) {
    report(".request.postData.text", "is marked as base64 but is not; read as text");
  }
  return { mimeType: mimeType === "" ? contentType : mimeType, text: sent, isBase64: isDecodable, params };
}

const cookieSchema = z.compile(z.object({ name: z.string(), value: textOrNumber }));

const none: readonly Header[] = [];

/**
 * Returns the complete URL of a request. Servers and proxies record only the path: then the host comes from
 * the request's headers, and the scheme from the headers or the page that sent the request.
 */
export function completeUrl(
  written: string,
  headers: readonly Header[],
  protocol: CaptureEntry["protocol"],
): string {
  if (!written.startsWith("/")) return written;
  const [host] = valuesOf(headers, [":authority", "host"]);
  if (host === undefined || !URL.canParse(`http://${host}/`)) return written;
  const path = written.startsWith(`//${host}`) ? written.slice(2 + host.length) : written;
  return `${schemeOf(host, headers, protocol)}//${host}${path}`;
}

/**
 * Returns the scheme that the request's headers state. Without one, takes that of a page of the same host,
 * then of any page, and at last guesses.
 */
function schemeOf(host: string, headers: readonly Header[], protocol: CaptureEntry["protocol"]): string {
  const [stated] = valuesOf(headers, [":scheme", "x-forwarded-proto"]);
  if (stated === "http" || stated === "https") return `${stated}:`;
  const pages = valuesOf(headers, ["origin", "referer"]).flatMap((text) => URL.parse(text) ?? []);
  const page =
    pages.find((url) => url.host === host) ?? pages.find(({ protocol: scheme }) => isWeb.test(scheme));
  if (page !== undefined && isWeb.test(page.protocol)) return page.protocol;
  // Browsers use HTTP/2 and HTTP/3 only with TLS.
  return host.endsWith(":443") || protocol === "http/2" || protocol === "http/3" ? "https:" : "http:";
}

const isWeb = /^https?:$/;

/** Returns the value of the first header of each name, in the order of the names. */
function valuesOf(headers: readonly Header[], names: readonly string[]): string[] {
  return names.flatMap((name) => headerOf(headers, name) ?? []);
}

/**
 * Reads the cookies of a request as sent: from the file's own list or, if that is empty, from the Cookie
 * header.
 */
export function readCookies(list: readonly unknown[], headers: readonly Header[]): readonly Header[] {
  const listed = list.flatMap((raw) => {
    const cookie = cookieSchema.safeParse(raw);
    return cookie.success ? [[cookie.data.name, cookie.data.value] as const] : [];
  });
  if (listed.length > 0) return [...listed];
  if (headerOf(headers, "cookie") === null) return none;
  return headers
    .filter(([name]) => name.toLowerCase() === "cookie")
    .flatMap(([, value]) => value.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map(splitCookie);
}

const length = /^\s*(\d{1,15})\s*$/;

/**
 * Returns the length of a request's body as sent; null where the file does not say. Playwright writes 0 for a
 * body that it cannot see, and Chrome the length of the part that it kept: the larger of `bodySize` and
 * Content-Length counts.
 */
export function readSentBytes(bodySize: unknown, headers: readonly Header[]): number | null {
  const size = byteCount.parse(bodySize);
  const written = headerOf(headers, "content-length") ?? "";
  const stated = length.exec(written)?.[1];
  return stated === undefined ? size : Math.max(size ?? 0, Number(stated));
}

/** "200", and "200 OK" as well. */
const statusText = z
  .string()
  .regex(/^\s*\d{3}(?!\d)/)
  .transform((written) => Number.parseInt(written, 10));

const responseSchema = z.compile(
  z.object({
    // An absent status means "not recorded"; null, 0 and an invalid status mean "no response".
    status: z
      .union([z.undefined(), z.union([z.number(), statusText]).pipe(z.number().int().min(100).max(999))])
      .catch(0),
    httpVersion: textOrNumber,
    headers: list,
    redirectURL: text,
    headersSize: anything,
    bodySize: anything,
    _transferSize: anything,
    content: z
      .object({ text: z.string().nullable().catch(null), encoding: text, mimeType: text, size: byteCount })
      .nullable()
      .catch(null),
    // Chrome's, Playwright's and Charles's fields for an incomplete response.
    _error: text,
    _failureText: text,
    _charlesStatus: text,
  }),
);

/** The response of an entry, and what else its fields say about the exchange. */
interface ReadResponse {
  readonly response: EntryResponse;
  readonly httpVersion: string;
  /** True if nothing came over the network, as Playwright records it: it has no field for the cache. */
  readonly isFromCache: boolean;
}

/** Reads a response; null if the file has none. */
export function readResponse(
  raw: unknown,
  known: KnownHeaders,
  report: (field: string, problem: string) => void,
): ReadResponse | null {
  const parsed = responseSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { status, httpVersion, headers, redirectURL, content, ...rest } = parsed.data;
  const failures = [rest._error, rest._failureText, rest._charlesStatus.replace(/^complete$/i, "")];
  const response: EntryResponse = {
    status: status ?? null,
    isAborted: failures.some((failure) => isCutShort(failure, status ?? null)),
    headers: readHeaders(headers, known),
    mimeType: content?.mimeType ?? "",
    body: content === null ? null : readContent(content.text, content.encoding, report),
    bodyBytes: content?.size ?? byteCount.parse(rest.bodySize),
    redirectUrl: redirectURL,
  };
  return { response, httpVersion, isFromCache: isFromCache(rest) };
}

/** Playwright subtracts the size of the headers from the bytes transferred: 0 − 180 is −180. */
function isFromCache({
  headersSize,
  bodySize,
  _transferSize,
}: Pick<z.infer<typeof responseSchema>, "headersSize" | "bodySize" | "_transferSize">): boolean {
  return (
    _transferSize === 0 && typeof headersSize === "number" && headersSize > 0 && bodySize === -headersSize
  );
}

function readContent(
  content: string | null,
  encoding: string,
  report: (field: string, problem: string) => void,
): EntryBody | null {
  if (content === null) return null;
  if (encoding.toLowerCase() !== "base64") return { text: content };
  if (isBase64(content)) return { base64: content };
  report("content.text", "is marked as base64 but is not; read as text");
  return { text: content };
}

/** Browsers' words for a cancelled request. */
const cancelled = /abort|cancel/i;

/**
 * Returns true if the response had begun or the request was cancelled, judging by the recorder's failure
 * text. A refused or blocked request (status 0) has no response at all.
 */
export function isCutShort(failure: string, status: number | null): boolean {
  return failure !== "" && (status !== 0 || cancelled.test(failure));
}
