import { modifyingMethods } from "@bearhug/sdk/internal";

import { isEventStream } from "../response-type.ts";
import type { OmissionReason } from "../capture-model.ts";
import type { CaptureEntry, EntryResponse } from "../capture.ts";
import { printable } from "../printable.ts";
import type { Visit } from "../visit.ts";
import { siteOf } from "./first-party.ts";
import { type HostPattern, matchesHost, matchesPattern, type Pattern } from "./pattern.ts";
import { requestHeader, type ResourceType, resourceTypeOf } from "./resource-type.ts";
import { isTrackingHost, isTrackingRequest } from "./tracking.ts";

/** A method's name as HTTP allows it. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Returns why an entry cannot be replayed; null if it can. */
export function whyUnsendable(entry: CaptureEntry, url: URL | null): OmissionReason | null {
  const { request } = entry;
  if (request.method === "CONNECT") return "proxy tunnel";
  if (url === null) return "invalid URL";
  if (url.protocol === "ws:" || url.protocol === "wss:") return "WebSocket";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "not HTTP";
  if (entry.isWebSocket || entry.response?.status === 101) return "WebSocket";
  if (!token.test(request.method)) return "invalid method";
  if (isPreflight(entry)) return "CORS preflight";
  return whyResponseUnusable(entry);
}

function whyResponseUnusable(entry: CaptureEntry): OmissionReason | null {
  const { request, response } = entry;
  // Service workers forward what changes something, and a script that requests a stream with POST reads it to
  // its end.
  const isChanging = modifyingMethods.has(request.method);
  if (entry.servedBy === "cache") return "served from the browser cache";
  if (entry.servedBy === "service worker" && !isChanging) return "served by a service worker";
  if (isEventStream(entry) && !isChanging) return "event stream";
  if (response?.isAborted === true && !hasFullResponse(entry, response)) return "aborted by the browser";
  return (response?.status ?? 200) < 200 ? "no response recorded" : null;
}

const hasNoBody = new Set([204, 205, 304]);

/**
 * Returns true if the server responded in full although the browser recorded an abort, as it does if a script
 * ignores the rest of a response. A request that changes something has taken effect by then; for a GET, the
 * whole body must have arrived.
 */
function hasFullResponse({ request }: CaptureEntry, { status, headers, bodyBytes }: EntryResponse): boolean {
  if (status === null || status < 200 || headers.length === 0) return false;
  if (request.method !== "GET" || hasNoBody.has(status)) return true;
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1].trim();
  return length !== undefined && length === String(bodyBytes ?? 0);
}

/** Returns true for a CORS preflight, which only browsers send. */
function isPreflight(entry: CaptureEntry): boolean {
  if (entry.resourceType === "preflight") return true;
  if (entry.request.method !== "OPTIONS") return false;
  return requestHeader(entry, "access-control-request-method") !== null;
}

/** Selects which requests of a capture to keep, of those that a test can send. */
export interface SelectOptions {
  /** Hosts that belong to the first party too. One named in full is kept as a whole, its analytics included. */
  readonly hosts?: readonly HostPattern[];
  readonly skipHosts?: readonly HostPattern[];
  /** If there are any, requests that match none of them are left out. */
  readonly only?: readonly Pattern[];
  readonly skip?: readonly Pattern[];
  /** Style sheets, images, fonts, scripts, audio and video. @default "keep" */
  readonly static?: "keep" | "drop";
}

const staticTypes: ReadonlySet<ResourceType> = new Set(["stylesheet", "image", "font", "script", "media"]);

/**
 * Returns why a request that could be replayed is left out; null if it is kept.
 *
 * @param keepsOwn True to keep the analytics of the document's own site.
 */
export function whyUnwanted(
  { entry, url }: Visit,
  document: URL,
  options: SelectOptions,
  keepsOwn: boolean,
): OmissionReason | null {
  const { skipHosts = [], only = [], skip = [] } = options;
  const reason = whyForeign(url, document, options);
  if (reason !== null) return reason;
  if (skipHosts.some((pattern) => matchesHost(pattern, url))) return "host skipped (--skip-hosts)";
  const isWanted = isNamed(url, options) || (keepsOwn && siteOf(url) === siteOf(document));
  if (!isWanted && isTrackingRequest(entry, url, document)) return "analytics or advertising";
  if (!isWanted && isBotCheck(entry, url)) return "bot check";
  if (skip.some((pattern) => matchesPattern(pattern, entry, url))) return "skipped (--skip)";
  if (only.length > 0 && !only.some((pattern) => matchesPattern(pattern, entry, url)))
    return "not matched (--only)";
  if (options.static === "drop" && staticTypes.has(resourceTypeOf(entry, url)))
    return "static file (--static drop)";
  return null;
}

/**
 * Returns why a request to another site is left out. A first-party host is kept whatever its name: an
 * advertiser's site may be the target.
 */
function whyForeign(url: URL, document: URL, options: SelectOptions): OmissionReason | null {
  if (siteOf(url) === siteOf(document) || isNamed(url, options)) return null;
  if (isTrackingHost(url)) return "analytics or advertising";
  return (options.hosts ?? []).some((pattern) => matchesHost(pattern, url)) ? null : "third party";
}

/** Returns true if an option names this host in full. */
function isNamed(url: URL, { hosts = [] }: SelectOptions): boolean {
  return hosts.some((pattern) => !pattern.isWildcard && matchesHost(pattern, url));
}

/** Returns a sentence for each option that matches nothing in the capture: usually a mistake. */
export function findUnmatched(visits: readonly Visit[], options: SelectOptions): string[] {
  const { hosts = [], skipHosts = [], only = [], skip = [] } = options;
  const hostOptions = { "--hosts": hosts, "--skip-hosts": skipHosts };
  const requestOptions = { "--only": only, "--skip": skip };
  return [
    ...Object.entries(hostOptions).flatMap(([option, patterns]) =>
      patterns
        .filter((pattern) => !visits.some(({ url }) => matchesHost(pattern, url)))
        .map(({ text }) => `${option} ${printable(text)}: the capture has no request to a matching host.`),
    ),
    ...Object.entries(requestOptions).flatMap(([option, patterns]) =>
      patterns
        .filter((pattern) => !visits.some(({ entry, url }) => matchesPattern(pattern, entry, url)))
        .map(({ text }) => `${option} ${printable(text)}: no request in the capture matches.`),
    ),
  ];
}

/** A report of one product, by its path or by how its body begins. */
interface Report {
  readonly path?: RegExp;
  readonly body?: RegExp;
}

/** Reports of bot detection scripts, which a site's own hosts forward. */
const reports: readonly Report[] = [
  { path: /^\/cdn-cgi\/challenge-platform\// }, // Cloudflare
  { body: /^\s*\{\s*"sensor_data"\s*:/ }, // Akamai
  { path: /^\/_Incapsula_Resource$/ }, // Imperva
  { path: /^\/TSPD\// }, // F5
  { path: /\/collector$/, body: /(?:^|&)appId=PX/ }, // HUMAN
  { path: /\/js\/?$/, body: /(?:^|&)jsData=.*&ddk=/s }, // DataDome
  { path: /^\/[\da-f]{8}-[\da-f-]{27}\/[\da-f]{8}-[\da-f-]{27}\/tl$/ }, // Kasada
];

/**
 * Returns true for a request in which a page proves that it runs in a browser. It carries measurements of
 * that moment, so a replay of it proves nothing.
 */
function isBotCheck({ request }: CaptureEntry, url: URL): boolean {
  if (!modifyingMethods.has(request.method)) return false;
  const text = request.postData?.text ?? "";
  return reports.some(({ path, body }) => (path?.test(url.pathname) ?? true) && (body?.test(text) ?? true));
}
