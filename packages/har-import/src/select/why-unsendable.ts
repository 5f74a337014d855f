import type { OmissionReason } from "../capture-model.ts";
import type { CaptureEntry, EntryResponse } from "../capture.ts";
import { contentType, requestHeader } from "./resource-type.ts";

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
  const { response } = entry;
  if (entry.servedBy === "cache") return "served from the browser cache";
  if (entry.servedBy === "service worker") return "served by a service worker";
  if (isEventStream(entry)) return "event stream";
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

/** An answer without an end. */
function isEventStream(entry: CaptureEntry): boolean {
  return entry.resourceType === "eventsource" || contentType(entry) === "text/event-stream";
}
