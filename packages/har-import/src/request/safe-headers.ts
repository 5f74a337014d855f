import type { Header } from "../capture.ts";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** What may stand in a header's value and arrives as it was: visible Latin-1, space and tab. */
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Written by the connection, by a browser on its own or by an agent that watches it: they belong to the machine that
 * recorded, not to the request. `accept-encoding` is the client's to offer; a recorded body is already decoded, so
 * `content-encoding` would lie; conditions are the browser's cache's, cookies its jar's.
 */
const managed = new Set(
  [
    "host connection keep-alive transfer-encoding te trailer upgrade expect http2-settings alt-used",
    "content-length content-encoding accept-encoding user-agent referer origin priority dnt save-data purpose",
    "upgrade-insecure-requests cache-control pragma if-none-match if-modified-since if-range",
    "cookie cookie2 set-cookie set-cookie2 x-client-data device-memory dpr viewport-width width rtt downlink ect",
    "traceparent tracestate baggage b3 sentry-trace newrelic x-datadog-trace-id x-datadog-parent-id",
  ].flatMap((names) => names.split(" ")),
);
const managedPrefix = /^(:|sec-|proxy-|x-b3-|attribution-reporting-)/;

/** The headers that make a request what it is. Secrets are among them: what becomes of those is for `protect` to say. */
export function dropManagedHeaders(headers: readonly Header[]): Header[] {
  const hasContentType = { seen: false };
  return headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (!token.test(name) || !latin1.test(value)) return false;
    if (managed.has(lower) || managedPrefix.test(lower)) return false;
    if (lower !== "content-type") return true;
    const isFirst = !hasContentType.seen;
    hasContentType.seen = true;
    return isFirst;
  });
}
