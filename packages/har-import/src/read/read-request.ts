import { z } from "@bearhug/sdk/internal";
import { isBase64 } from "../base64.ts";
import type { CaptureEntry, Header, PostData } from "../capture.ts";
import { byteCount, list, text, textOrNumber } from "./json-fields.ts";

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
  return names.flatMap((name) => headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? []);
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
  if (!headers.some(([name]) => name.toLowerCase() === "cookie")) return none;
  return headers
    .filter(([name]) => name.toLowerCase() === "cookie")
    .flatMap(([, value]) => value.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map(splitCookie);
}

/** Splits a cookie into name and value. Without `=`, it is a value without a name, as in browsers. */
function splitCookie(pair: string): Header {
  const equals = pair.indexOf("=");
  return equals === -1 ? ["", pair] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

const length = /^\s*(\d{1,15})\s*$/;

/**
 * Returns the length of a request's body as sent; null where the file does not say. Playwright writes 0 for a
 * body that it cannot see, and Chrome the length of the part that it kept: the larger of `bodySize` and
 * Content-Length counts.
 */
export function readSentBytes(bodySize: unknown, headers: readonly Header[]): number | null {
  const size = byteCount.parse(bodySize);
  const written = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "";
  const stated = length.exec(written)?.[1];
  return stated === undefined ? size : Math.max(size ?? 0, Number(stated));
}
