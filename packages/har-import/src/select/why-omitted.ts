import { changingMethods } from "@bearhug/sdk/internal";

import { isEventStream } from "../answer-type.ts";
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
  if (request.method.toUpperCase() === "CONNECT") return "proxy tunnel";
  if (url === null) return "invalid URL";
  if (url.protocol === "ws:" || url.protocol === "wss:") return "WebSocket";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "not HTTP";
  if (entry.isWebSocket || entry.response?.status === 101) return "WebSocket";
  if (!token.test(request.method)) return "invalid method";
  if (isPreflight(entry)) return "CORS preflight";
  return whyNotAnswered(entry);
}

function whyNotAnswered(entry: CaptureEntry): OmissionReason | null {
  const { request, response } = entry;
  // Workers pass on what changes something, and a script asks for a stream with POST to read it to its end.
  const isChanging = changingMethods.has(request.method.toUpperCase());
  if (entry.servedBy === "cache") return "served from the browser cache";
  if (entry.servedBy === "service worker" && !isChanging) return "served by a service worker";
  if (isEventStream(entry) && !isChanging) return "event stream";
  if (response?.isAborted === true && !isAnswered(entry, response)) return "aborted by the browser";
  return (response?.status ?? 200) < 200 ? "no response recorded" : null;
}

const hasNoBody = new Set([204, 205, 304]);

/**
 * Returns true if the server answered in full although the browser recorded an abort, as it does if a script ignores the
 * rest of a response. A request that changes something has taken effect by then; of a GET, the whole body must have
 * arrived.
 */
function isAnswered({ request }: CaptureEntry, { status, headers, bodyBytes }: EntryResponse): boolean {
  if (status === null || status < 200 || headers.length === 0) return false;
  if (request.method.toUpperCase() !== "GET" || hasNoBody.has(status)) return true;
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1].trim();
  return length !== undefined && length === String(bodyBytes ?? 0);
}

/** The question whether another origin may be asked: only browsers put it. */
function isPreflight(entry: CaptureEntry): boolean {
  if (entry.resourceType === "preflight") return true;
  if (entry.request.method.toUpperCase() !== "OPTIONS") return false;
  return requestHeader(entry, "access-control-request-method") !== undefined;
}

/** Which requests of a capture to keep, besides what no test can send. */
export interface SelectOptions {
  /** Hosts that belong to the first party too. One named in full is kept as a whole, its analytics included. */
  readonly hosts?: readonly HostPattern[];
  readonly skipHosts?: readonly HostPattern[];
  /** Where there are any, what matches none is left out. */
  readonly only?: readonly Pattern[];
  readonly skip?: readonly Pattern[];
  /** Style sheets, images, fonts, scripts, audio and video. @default "keep" */
  readonly static?: "keep" | "drop";
}

const staticTypes: ReadonlySet<ResourceType> = new Set(["stylesheet", "image", "font", "script", "media"]);

/**
 * Returns why a request that could be replayed is left out; null if it is kept.
 *
 * @param keepsOwn Whether the analytics of the document's own site are wanted.
 */
export function whyUnwanted(
  { entry, url }: Visit,
  document: URL,
  options: SelectOptions,
  keepsOwn: boolean,
): OmissionReason | null {
  const { skipHosts = [], only = [], skip = [] } = options;
  const reason = whyOthers(url, document, options);
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

/** A host of the first party is kept whatever it is called: the site of an advertiser may be what is to be tested. */
function whyOthers(url: URL, document: URL, options: SelectOptions): OmissionReason | null {
  if (siteOf(url) === siteOf(document) || isNamed(url, options)) return null;
  if (isTrackingHost(url)) return "analytics or advertising";
  return (options.hosts ?? []).some((pattern) => matchesHost(pattern, url)) ? null : "third party";
}

/** Returns true if an option names this host in full. */
function isNamed(url: URL, { hosts = [] }: SelectOptions): boolean {
  return hosts.some((pattern) => !pattern.isWildcard && matchesHost(pattern, url));
}

/** A sentence for each option that has no effect on a capture: most often a slip. */
export function findUnmatched(visits: readonly Visit[], options: SelectOptions): string[] {
  const { hosts = [], skipHosts = [], only = [], skip = [] } = options;
  const named = { "--hosts": hosts, "--skip-hosts": skipHosts };
  const meant = { "--only": only, "--skip": skip };
  return [
    ...Object.entries(named).flatMap(([option, patterns]) =>
      patterns
        .filter((pattern) => !visits.some(({ url }) => matchesHost(pattern, url)))
        .map(({ text }) => `${option} ${printable(text)}: the capture has no request to a matching host.`),
    ),
    ...Object.entries(meant).flatMap(([option, patterns]) =>
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

/** Reports of scripts that tell people from programs, which a site's own hosts pass on. */
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
 * Returns true for a request in which a page proves that a browser shows it. It is made of what was measured then, and no
 * replay proves anything with it.
 */
function isBotCheck({ request }: CaptureEntry, url: URL): boolean {
  if (!changingMethods.has(request.method.toUpperCase())) return false;
  const text = request.postData?.text ?? "";
  return reports.some(({ path, body }) => (path?.test(url.pathname) ?? true) && (body?.test(text) ?? true));
}
