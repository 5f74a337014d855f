import type { CaptureEntry, EntryResponse } from "@bearhug/har-import";
import { headerValue } from "@bearhug/text/header-value";

import { replayableHeaders, rebaseLocation } from "./response-headers.ts";

/** A response, prepared before the first request arrives. */
export interface MockResponse {
  readonly status: number;
  /** Names and values in turn, a form that `writeHead` sends unchanged. */
  readonly headers: string[];
  /** Path and query of a redirect on the mock itself; null if the recorded headers suffice. */
  readonly location: string | null;
  readonly body: Buffer;
  /** The recorded duration of the response. */
  readonly latency: Latency;
}

/** The time from the request to the first byte, and from there to the last. */
export interface Latency {
  readonly firstByteMs: number;
  readonly receiveMs: number;
}

const noLatency: Latency = { firstByteMs: 0, receiveMs: 0 };
const noBody = Buffer.alloc(0);
const bodyless = new Set([204, 304]);

/** The response to a request that is not in the capture. */
export const notInCapture: MockResponse = prepare(
  404,
  ["content-type", "text/plain"],
  null,
  Buffer.from("Not in the capture.\n"),
  noLatency,
);

/** Returns the recorded response of an entry; an empty 200 if the capture has none. */
export function prepareResponse(entry: CaptureEntry, isOfCapture: (origin: string) => boolean): MockResponse {
  const { request, response } = entry;
  const latency = latencyOf(entry);
  if (response === null || !hasFinalStatus(response.status)) return prepare(200, [], null, noBody, latency);
  const { status } = response;
  const location = rebaseLocation(response, request.url, isOfCapture);
  const headers = replayableHeaders(response, location.isReplaced, entry.startedAtMs ?? Date.now());
  const body = bodyless.has(status) ? noBody : bodyOf(response);
  return prepare(
    status,
    location.added === null ? headers : [...headers, "location", location.added],
    location.path,
    body,
    latency,
  );
}

/** True if the capture has the status of a final response: a blocked or aborted request has none. */
export function hasFinalStatus(status: number | null | undefined): status is number {
  return status !== null && status !== undefined && status >= 200;
}

/**
 * Returns the recorded latency. `connect` includes TLS. The browser's queue is left out, because the client
 * has its own.
 */
function latencyOf({ timings }: CaptureEntry): Latency {
  const { dnsMs, connectMs, sendMs, waitMs, receiveMs } = timings;
  return { firstByteMs: dnsMs + connectMs + sendMs + waitMs, receiveMs };
}

function bodyOf(response: EntryResponse): Buffer {
  const { body } = response;
  if (body === null) return fill(recordedBytes(response));
  return "text" in body ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
}

/** Returns the length of a body. WebPagetest writes 0 for each, but keeps the header. */
function recordedBytes({ bodyBytes, headers }: EntryResponse): number {
  if (bodyBytes !== null && bodyBytes > 0) return bodyBytes;
  const announced = headerValue(headers, "content-length") ?? "";
  return /^\d{1,15}$/.test(announced) ? Number(announced) : 0;
}

function prepare(
  status: number,
  headers: readonly string[],
  location: string | null,
  body: Buffer,
  latency: Latency,
): MockResponse {
  const length = bodyless.has(status) ? [] : ["content-length", String(body.length)];
  return { status, headers: [...headers, ...length], location, body, latency };
}

const pattern = "bearhug mock: the capture has only the length of this body, not its text.\n";
/** The size limit of a generated body: the size in a capture may be wrong. */
const maxBytes = 64 * 1024 * 1024;

let longest = Buffer.alloc(0);

/**
 * Returns a body of a given length, for responses of which only the size was recorded, so that transfers keep
 * their size.
 */
function fill(bytes: number): Buffer {
  const length = Math.min(bytes, maxBytes);
  if (longest.length < length) longest = Buffer.alloc(length, pattern);
  return longest.subarray(0, length);
}
