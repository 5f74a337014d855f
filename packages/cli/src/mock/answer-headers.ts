import type { EntryResponse } from "@bearhug/har-import";
import { serveCookie } from "./served-cookie.ts";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Anything else would be cut or refused by Node. */
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers of a recorded answer that are no longer true: of the recorded connection, of a body that a HAR holds decoded,
 * of a host that is not this one.
 */
const untrue = new Set([
  ...[
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "date",
  ],
  ...["content-length", "content-encoding", "content-md5", "content-digest", "repr-digest", "digest"],
  ...[
    "strict-transport-security",
    "alt-svc",
    "alternate-protocol",
    "public-key-pins",
    "expect-ct",
    "clear-site-data",
  ],
  ...[
    "nel",
    "report-to",
    "reporting-endpoints",
    "content-security-policy",
    "content-security-policy-report-only",
  ],
  ...["set-cookie2", "proxy-authenticate", "status", "version", "http2-settings"],
]);

/** Headers worth serving, names and values in turn. The location is left out where the mock gives its own. */
export function keepAnswerHeaders(
  response: EntryResponse,
  isLocationReplaced: boolean,
  recordedAtMs: number,
): string[] {
  const kept = response.headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (!token.test(name) || !latin1.test(value) || untrue.has(lower)) return false;
    return lower !== "location" || !isLocationReplaced;
  });
  const headers = kept.map(([name, value]): [string, string] => {
    const lower = name.toLowerCase();
    if (lower === "set-cookie") return [name, serveCookie(value, recordedAtMs)];
    return [name, lower === "content-type" ? asServed(value, response) : value];
  });
  const isTyped = kept.some(([name]) => name.toLowerCase() === "content-type");
  const type = isTyped ? "" : asServed(response.mimeType, response);
  if (/^[\w.+-]+\/[\w.+-]+/.test(type) && latin1.test(type)) headers.push(["content-type", type]);
  return headers.flat();
}

/** Text is served as UTF-8, whatever it came in. */
function asServed(contentType: string, { body }: EntryResponse): string {
  if (body === null || !("text" in body)) return contentType;
  return contentType.replace(/(;\s*charset=)[^;]*/i, "$1utf-8");
}
