import type { Header } from "../capture.ts";
import { isSecretHeader } from "../secrets/secret-names.ts";
import { looksSecret } from "../secrets/secret-values.ts";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** What may stand in a header's value and arrives as it was: visible Latin-1, space and tab. */
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Written by the connection or by a browser on its own: they belong to the machine that recorded, not to the request.
 * `accept-encoding` is the client's to offer; a recorded body is already decoded, so `content-encoding` would lie.
 */
const managed = new Set([
  ...[
    "host",
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
  ],
  ...["content-length", "content-encoding", "accept-encoding", "expect", "http2-settings", "priority"],
  ...[
    "user-agent",
    "referer",
    "origin",
    "dnt",
    "save-data",
    "upgrade-insecure-requests",
    "cache-control",
    "pragma",
  ],
]);
const managedPrefix = /^(:|sec-|proxy-)/;

/** Standard headers whose values are long and random by nature, and no secret: an entity tag, a boundary. */
const neverSecret = new Set(["content-type", "if-match", "if-none-match", "if-range"]);

/** The headers that make a request what it is, without anything that says who made it. */
export function keepSafeHeaders(headers: readonly Header[]): Header[] {
  const hasContentType = { seen: false };
  return headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (!token.test(name) || !latin1.test(value)) return false;
    if (managed.has(lower) || managedPrefix.test(lower) || isSecretHeader(name)) return false;
    if (lower === "content-type") {
      if (hasContentType.seen) return false;
      hasContentType.seen = true;
    }
    return neverSecret.has(lower) || !looksSecret(value);
  });
}
