import type { OmissionReason } from "../capture-model.ts";
import type { CaptureEntry } from "../capture.ts";
import { contentType, requestHeader } from "./resource-type.ts";

/** A method's name as HTTP allows it. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Why an entry says nothing about a server, or cannot be sent at all; null when it can. */
export function whyUnsendable(entry: CaptureEntry, url: URL | null): OmissionReason | null {
  const { request } = entry;
  if (request.method.toUpperCase() === "CONNECT") return "proxy tunnel";
  if (url === null) return "URL cannot be read";
  if (url.protocol === "ws:" || url.protocol === "wss:") return "WebSocket";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "not HTTP";
  if (entry.isWebSocket || entry.response?.status === 101) return "WebSocket";
  if (!token.test(request.method)) return "method cannot be sent";
  if (isPreflight(entry)) return "preflight made by the browser";
  return whyNotAnswered(entry);
}

function whyNotAnswered(entry: CaptureEntry): OmissionReason | null {
  const { response } = entry;
  if (entry.servedBy === "cache") return "answered by the browser's cache";
  if (entry.servedBy === "service worker") return "answered by a service worker";
  if (isEventStream(entry)) return "event stream";
  if ((response?.status ?? 200) < 200) return "no answer recorded";
  return response?.isAborted === true ? "aborted by the browser" : null;
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
