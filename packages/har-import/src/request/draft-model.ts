import { modifyingMethods } from "@bearhug/sdk/internal";
import { parseHttpUrl } from "@bearhug/text/http-url";

import type {
  CapturedCookie,
  CapturedStep,
  CaptureModel,
  CapturedRequest,
  Referer,
} from "../capture-model.ts";
import { textValue, type Atom } from "../value.ts";
import { lastOf, type Visit, type VisitStep } from "../visit.ts";
import { noteMissingBodies, hintsMissingBody, hintWithheldBody, isWithheld } from "../missing-body.ts";
import { isEventStream } from "../response-type.ts";
import { cookiesSetBy, type EntryRequest, type Header, headerOf } from "../capture.ts";
import { parsePairs, percentDecode, parsePath } from "../parse-pairs.ts";
import { checkSessionPages, noteMissingSession, noteMissingLogin, sessionProof } from "./sessions.ts";
import { buildBody } from "./build-body.ts";
import { landingPath, landingQuery, nameOfCreator } from "./landing-path.ts";
import { typeProof } from "./type-proof.ts";

/** Returns the model with everything as recorded, secrets included. Later stages change it. */
export function draftModel(
  facts: Pick<CaptureModel, "origin" | "connections" | "omissions" | "findings" | "notes">,
  kept: readonly Visit[],
  steps: readonly VisitStep[],
): CaptureModel {
  const planned = steps.flatMap(({ waves }) => waves.flatMap(({ visits }) => visits));
  const visits = planned.map(({ visit }) => visit);
  const known = new KnownAtoms();
  const renewed = findRenewedStatuses(visits);
  const model: CaptureModel = {
    ...facts,
    hosts: [...new Set(kept.map(({ url }) => url.origin))],
    steps: steps.map((step) => draftStep(step, known, renewed)),
    cookies: findOwnCookies(visits),
    variables: [],
    sendsOrigin: visits.some(({ entry }) => namesPage(entry.request)),
    tables: [],
    notes: [
      ...noteMissingBodies(visits),
      ...facts.notes,
      ...noteMissingSession(visits),
      ...noteMissingLogin(visits),
    ],
  };
  return checkSessionPages(model, steps);
}

function draftStep(
  { waves, ...step }: VisitStep,
  known: KnownAtoms,
  renewed: ReadonlyMap<Visit, number>,
): CapturedStep {
  return {
    ...step,
    waves: waves.map(({ afterMs, visits }) => ({
      afterMs,
      requests: visits.map(({ visit, outlasts, recorded }) => {
        return { ...toRequest(visit, known, renewed.get(visit)), outlasts, recorded };
      }),
    })),
  };
}

/** Shared: most requests have several empty lists. */
const nothing: readonly never[] = [];

/** Returns the request to send for a visit, every value as recorded. The caller sets its place in a step. */
export function toRequest(
  visit: Visit,
  known: KnownAtoms = new KnownAtoms(),
  renewedStatus: number | null = null,
): CapturedRequest {
  const { entry, url, hops } = visit;
  const { request } = entry;
  const headers = withCredentials(dropManagedHeaders(request.headers), url);
  const withheld = isWithheld(request.postData);
  const content =
    withheld || !mayHaveBody(request) ? null : buildBody(request, headerOf(headers, "content-type"));
  const written = content === null ? withoutParts(headers) : withContentType(headers, content.contentType);
  const from = sentFrom(request, url, known);
  const landsOn = landingPath(visit, content?.body ?? null);
  const pageOfSite = landsOn === null ? "" : landingQuery(visit, content?.body ?? null);
  const lastEntry = lastOf(visit).entry;
  return {
    entryIndex: entry.index,
    redirectedTo: hops.length === 0 ? nothing : hops.map((hop) => hop.entry.index),
    method: request.method,
    origin: known.origin(url.origin),
    path: known.path(url.pathname),
    query: url.search === "" ? nothing : parsePairs(url.search.slice(1)),
    headers: [...written, ...from.headers].map((header) => known.header(header)),
    referer: from.referer,
    name: nameOfCreator(visit, landsOn),
    body: content === null ? null : content.body,
    recordedStatus: lastEntry.response?.status ?? null,
    renewedStatus,
    landsOn,
    ...(pageOfSite === "" ? {} : { landingQuery: pageOfSite }),
    proofs: [...typeProof(lastOf(visit)), ...sessionProof(visit, content?.body ?? null)],
    extractions: nothing,
    hints: [
      ...(withheld ? [hintWithheldBody()] : hintsMissingBody(request, content?.body ?? null)),
      ...(isEventStream(lastEntry) ? [hintStream] : []),
      ...(renewedStatus === null ? [] : [hintRenewed]),
    ],
    outlasts: false,
    recorded: null,
  };
}

/** A browser sends the user and password of an address as a header. */
function withCredentials(headers: readonly Header[], { username, password }: URL): readonly Header[] {
  const isSent = headerOf(headers, "authorization") !== null;
  if ((username === "" && password === "") || isSent) return headers;
  const bytes = new TextEncoder().encode(`${percentDecode(username)}:${percentDecode(password)}`);
  return [...headers, ["authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`]];
}

const hintStream =
  "the response is an event stream: it is read to its end, for as long as the request timeout allows";

const hintRenewed =
  "401 in the capture, then sent again: its token had expired, but may be valid in the test";

/**
 * Returns the status with which each request that was refused with 401 succeeded when it was sent again, as
 * apps do once they have a new token.
 */
function findRenewedStatuses(visits: readonly Visit[]): ReadonlyMap<Visit, number> {
  const statusOf = (visit: Visit): number => lastOf(visit).entry.response?.status ?? 0;
  const refused = visits.filter((visit) => statusOf(visit) === unauthorized);
  const sent = new Map(refused.map((visit) => [keyOf(visit), 0]));
  const renewed = new Map<Visit, number>();
  if (refused.length === 0) return renewed;
  for (const visit of visits.toReversed()) {
    const key = keyOf(visit);
    const status = statusOf(visit);
    if (status >= 200 && status < 300 && sent.has(key)) sent.set(key, status);
    const later = sent.get(key) ?? 0;
    if (status === unauthorized && later > 0) renewed.set(visit, later);
  }
  return renewed;
}

const unauthorized = 401;

function keyOf({ entry: { request }, url }: Visit): string {
  return JSON.stringify([request.method, url.href, request.postData?.text, request.postData?.params]);
}

/**
 * Recorders write bodies for GETs that had none. One that was sent, such as an Elasticsearch query, has a
 * type or a length.
 */
function mayHaveBody({ method, headers, postData, bodyBytes }: EntryRequest): boolean {
  if (method !== "GET") return method !== "HEAD";
  const isSent = (bodyBytes ?? 0) > 0 || headerOf(headers, "content-type") !== null;
  return isSent && postData !== null && postData.text !== "";
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

/**
 * The page that sent a request which changes something: sites reject requests that their own pages did not
 * send.
 */
interface SentFrom {
  /** The `origin` header, if it names another host than the request's own; none otherwise. */
  readonly headers: readonly Header[];
  readonly referer: Referer | null;
}

const nowhere: SentFrom = { headers: [], referer: null };

function sentFrom(request: EntryRequest, url: URL, known: KnownAtoms): SentFrom {
  if (!namesPage(request)) return nowhere;
  const origin = parseHttpUrl(headerOf(request.headers, "origin") ?? "");
  const referer = URL.parse(headerOf(request.headers, "referer") ?? "");
  const isElsewhere = origin !== null && origin.origin !== url.origin;
  return {
    headers: isElsewhere ? [["origin", origin.origin]] : [],
    referer: referer?.origin === url.origin ? refererOf(referer, known) : null,
  };
}

function refererOf({ pathname, search }: URL, known: KnownAtoms): Referer {
  return { path: known.path(pathname), query: parsePairs(search.slice(1)) };
}

/** Returns true for a request that changes something and names the page that it came from. */
function namesPage(request: EntryRequest): boolean {
  const hasPage =
    headerOf(request.headers, "origin") !== null || headerOf(request.headers, "referer") !== null;
  return hasPage && modifyingMethods.has(request.method);
}

/** Paths that come after this many seldom repeat. */
const maxPaths = 20_000;

/** Shares what requests have in common: in a capture of many small entries, that is most of the model. */
class KnownAtoms {
  readonly #paths = new Map<string, readonly Atom[]>();
  readonly #headers = new WeakMap<Header, Atom>();
  readonly #origins = new Map<string, string>();

  path(pathname: string): readonly Atom[] {
    const known = this.#paths.get(pathname);
    if (known !== undefined) return known;
    const path = parsePath(pathname);
    if (this.#paths.size < maxPaths) this.#paths.set(pathname, path);
    return path;
  }

  /** Equal headers are shared already: see `KnownHeaders`. */
  header(header: Header): Atom {
    let atom = this.#headers.get(header);
    if (atom === undefined) {
      const [name, value] = header;
      this.#headers.set(header, (atom = { name, value: textValue(value), written: null }));
    }
    return atom;
  }

  origin(text: string): string {
    const known = this.#origins.get(text);
    if (known === undefined) this.#origins.set(text, text);
    return known ?? text;
  }
}

/**
 * Returns the cookies that the browser had before the recording, or that a page's script set: those that no
 * earlier response had set. Each is listed once for a host, as it was first sent. Cookies that responses set
 * are set again in a replay.
 */
export function findOwnCookies(visits: readonly Visit[]): CapturedCookie[] {
  const setByResponse = new Set<string>();
  const own = new Map<string, CapturedCookie>();
  for (const { url, entry } of visits.flatMap((visit) => [visit, ...visit.hops])) {
    for (const [name, value] of entry.request.cookies) {
      const key = `${name} ${url.host}`;
      if (name === "" || setByResponse.has(name) || own.has(key)) continue;
      own.set(key, { name, origin: url.origin, value: textValue(value) });
    }
    for (const { name } of cookiesSetBy(entry)) if (name !== "") setByResponse.add(name);
  }
  return [...own.values()];
}
