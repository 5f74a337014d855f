import type { EntryResponse } from "@bearhug/har-import";
import { redirectStatuses } from "@bearhug/sdk/internal";
import { headerValue } from "@bearhug/text/header-value";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Node truncates or rejects any other characters. */
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers of a recorded response that no longer apply: they concern the recorded connection, the encoding of
 * a body that the HAR holds decoded, or another host.
 */
const obsoleteHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "date",
  "content-length",
  "content-encoding",
  "content-md5",
  "content-digest",
  "repr-digest",
  "digest",
  "strict-transport-security",
  "alt-svc",
  "alternate-protocol",
  "public-key-pins",
  "expect-ct",
  "clear-site-data",
  "nel",
  "report-to",
  "reporting-endpoints",
  "content-security-policy",
  "content-security-policy-report-only",
  "set-cookie2",
  "proxy-authenticate",
  "status",
  "version",
  "http2-settings",
]);

/**
 * Returns the headers to serve, names and values in turn. The location is left out if the mock sends its own.
 */
export function replayableHeaders(
  response: EntryResponse,
  isLocationReplaced: boolean,
  recordedAtMs: number,
): string[] {
  const kept = response.headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (!token.test(name) || !latin1.test(value) || obsoleteHeaders.has(lower)) return false;
    return lower !== "location" || !isLocationReplaced;
  });
  const headers = kept.map(([name, value]): [string, string] => {
    const lower = name.toLowerCase();
    if (lower === "set-cookie") return [name, serveCookie(value, recordedAtMs)];
    return [name, lower === "content-type" ? withServedCharset(value, response) : value];
  });
  const isTyped = headerValue(kept, "content-type") !== undefined;
  const type = isTyped ? "" : withServedCharset(response.mimeType, response);
  if (/^[\w.+-]+\/[\w.+-]+/.test(type) && latin1.test(type)) headers.push(["content-type", type]);
  return headers.flat();
}

/** Replaces the charset of text, which is served as UTF-8 whatever its recorded charset. */
function withServedCharset(contentType: string, { body }: EntryResponse): string {
  if (body === null || !("text" in body)) return contentType;
  return contentType.replace(/(;\s*charset=)[^;]*/i, "$1utf-8");
}

/**
 * Clients reject a cookie with such a name unless it is `Secure`. Over plain HTTP they accept it on loopback
 * only.
 */
const needsSecure = /^\s*__(?:Host|Secure)-/i;

/**
 * Adapts a recorded `set-cookie` to a server with another host and without TLS. An expiry before the
 * recording deletes the cookie and is kept; a later one might have passed by now and is removed.
 */
export function serveCookie(line: string, recordedAtMs: number): string {
  const [pair = "", ...attributes] = line.split(";");
  const kept = attributes.filter((attribute) => {
    const [name = "", value = ""] = attribute.split("=", 2).map((text) => text.trim().toLowerCase());
    switch (name) {
      case "domain":
      case "partitioned":
        return false;
      case "secure":
        return needsSecure.test(pair);
      case "samesite":
        return value !== "none";
      case "expires":
        return isPast(attribute.slice(attribute.indexOf("=") + 1), recordedAtMs);
      default:
        return true;
    }
  });
  return [pair, ...kept].join(";");
}

function isPast(date: string, recordedAtMs: number): boolean {
  // Old date formats have hyphens, as in 01-Jan-2024, unlike those of ISO dates.
  const atMs = Date.parse(
    date
      .trim()
      .replace(/^\w+,\s*/, "")
      .replace(/(\d)-([a-z]{3})-(\d)/i, "$1 $2 $3"),
  );
  return Number.isNaN(atMs) || atMs <= recordedAtMs;
}

export interface Rebased {
  /** Path, query and fragment on the mock if the recorded target belongs to the capture; otherwise null. */
  readonly path: string | null;
  /** True if the recorded Location headers must not be served. */
  readonly isReplaced: boolean;
  /** A target outside the capture that is only in `redirectURL`; otherwise null. */
  readonly added: string | null;
}

const asRecorded: Rebased = { path: null, isReplaced: false, added: null };

/** Returns the target of a redirect: the mock replaces every origin in the capture. */
export function rebaseLocation(
  response: EntryResponse,
  requestUrl: string,
  isOfCapture: (origin: string) => boolean,
): Rebased {
  const header = headerValue(response.headers, "location");
  const written = header ?? (isRedirect(response.status) ? response.redirectUrl : "");
  const target = written === "" ? null : URL.parse(written, requestUrl);
  if (target === null) return asRecorded;
  if (isOfCapture(target.origin)) {
    return { path: `${target.pathname}${target.search}${target.hash}`, isReplaced: true, added: null };
  }
  return header === undefined ? { ...asRecorded, added: target.href } : asRecorded;
}

function isRedirect(status: number | null): boolean {
  return status !== null && redirectStatuses.has(status);
}
