import type { OmissionReason } from "../capture-model.ts";
import type { CaptureEntry } from "../capture.ts";

/** A method's name as HTTP allows it. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Why an entry says nothing about a server, or cannot be sent at all; null when it can. */
export function whyUnsendable(entry: CaptureEntry, url: URL | null): OmissionReason | null {
  const { request, response } = entry;
  if (request.method.toUpperCase() === "CONNECT") return "proxy tunnel";
  if (url === null) return "URL cannot be read";
  if (url.protocol === "ws:" || url.protocol === "wss:") return "WebSocket";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "not HTTP";
  if (entry.isWebSocket || response?.status === 101) return "WebSocket";
  if (!token.test(request.method)) return "method cannot be sent";
  if (entry.servedBy === "cache") return "answered by the browser's cache";
  if (entry.servedBy === "service worker") return "answered by a service worker";
  if ((response?.status ?? 200) < 200) return "no answer recorded";
  return response?.isAborted === true ? "aborted by the browser" : null;
}
