import { isEventStream } from "../response-type.ts";
import type { CapturedRequest } from "../capture-model.ts";
import type { EntryRequest, Header } from "../capture.ts";
import { parsePairs, percentDecode } from "../parse-pairs.ts";
import type { Visit } from "../visit.ts";
import { buildBody } from "./build-body.ts";
import { hintsMissingBody, hintWithheldBody, isWithheld } from "../missing-body.ts";
import { KnownAtoms } from "./known-atoms.ts";
import { landingPath, nameOfCreator } from "./landing-path.ts";
import { sessionProof } from "./session-proof.ts";
import { sentFrom } from "./sending-page.ts";

/** Shared: most requests have several empty lists. */
const nothing: readonly never[] = [];
const caseInsensitive = /^(get|head|post|put|patch|delete|options)$/i;

/** Returns the request to send for a visit, every value as recorded. The caller sets its place in a step. */
export function toRequest(visit: Visit, known: KnownAtoms = new KnownAtoms()): CapturedRequest {
  const { entry, url, hops } = visit;
  const { request } = entry;
  const method = caseInsensitive.test(request.method) ? request.method.toUpperCase() : request.method;
  const headers = withCredentials(dropManagedHeaders(request.headers), url);
  const withheld = isWithheld(request.postData);
  const content =
    withheld || !mayHaveBody(method, request) ? null : buildBody(request, contentTypeOf(headers));
  const written = content === null ? withoutParts(headers) : withContentType(headers, content.contentType);
  const from = sentFrom(request, url, known);
  const landsOn = landingPath(visit, content?.body ?? null);
  const lastEntry = hops.at(-1)?.entry ?? entry;
  return {
    entryIndex: entry.index,
    redirectedTo: hops.length === 0 ? nothing : hops.map((hop) => hop.entry.index),
    method,
    origin: known.origin(url.origin),
    path: known.path(url.pathname),
    query: url.search === "" ? nothing : parsePairs(url.search.slice(1)),
    headers: [...written, ...from.headers].map((header) => known.header(header)),
    referer: from.referer,
    name: nameOfCreator(visit, landsOn),
    body: content === null ? null : content.body,
    recordedStatus: lastEntry.response?.status ?? null,
    landsOn,
    proofs: sessionProof(visit, content?.body ?? null),
    extractions: nothing,
    hints: [
      ...(withheld ? [hintWithheldBody()] : hintsMissingBody(request, content?.body ?? null)),
      ...(isEventStream(lastEntry) ? [hintStream] : []),
    ],
    outlasts: false,
    recorded: null,
  };
}

/** A browser sends the user and password of an address as a header. */
function withCredentials(headers: readonly Header[], { username, password }: URL): readonly Header[] {
  const isSent = headers.some(([name]) => name.toLowerCase() === "authorization");
  if ((username === "" && password === "") || isSent) return headers;
  const bytes = new TextEncoder().encode(`${percentDecode(username)}:${percentDecode(password)}`);
  return [...headers, ["authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`]];
}

const hintStream =
  "the response is an event stream: it is read to its end, for as long as the request timeout allows";

/**
 * Recorders write bodies for GETs that had none. One that was sent, such as an Elasticsearch query, has a
 * type or a length.
 */
function mayHaveBody(method: string, { headers, postData, bodyBytes }: EntryRequest): boolean {
  if (method !== "GET") return method !== "HEAD";
  const isSent = (bodyBytes ?? 0) > 0 || contentTypeOf(headers) !== null;
  return isSent && postData !== null && postData.text !== "";
}

function contentTypeOf(headers: readonly Header[]): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

/** Drops a multipart content type: without a body, its boundary has no meaning. */
function withoutParts(headers: readonly Header[]): readonly Header[] {
  return headers.filter(
    ([name, value]) => name.toLowerCase() !== "content-type" || !/^\s*multipart\//i.test(value),
  );
}

function withContentType(headers: readonly Header[], contentType: string): readonly Header[] {
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return dropManagedHeaders([...others, ["content-type", contentType]]);
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Header values that arrive unchanged: visible Latin-1, space and tab. */
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that the connection, the browser or a monitoring agent adds: they belong to the machine that
 * recorded, not to the request. The client sends its own `accept-encoding`; a recorded body is already
 * decoded, so `content-encoding` would be wrong; conditions come from the browser's cache, and cookies from
 * its cookie jar.
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

/**
 * Returns the headers that belong to the request itself. Secrets are among them: `protect` replaces those.
 */
export function dropManagedHeaders(headers: readonly Header[]): Header[] {
  let hasContentType = false;
  return headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (!token.test(name) || !latin1.test(value)) return false;
    if (managed.has(lower) || managedPrefix.test(lower)) return false;
    if (lower !== "content-type") return true;
    const isFirst = !hasContentType;
    hasContentType = true;
    return isFirst;
  });
}
