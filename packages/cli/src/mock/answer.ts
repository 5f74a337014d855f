import type { CaptureEntry } from "@bearhug/har-import";

import { keepAnswerHeaders, rebaseLocation } from "./answer-headers.ts";

/** A response, prepared before the first request comes. */
export interface MockAnswer {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them, which leaves them as they are. */
  readonly headers: string[];
  /** Path and query to redirect to on the mock itself; null where the recorded headers say all. */
  readonly location: string | null;
  readonly body: Buffer;
  /** The time that it took when it was recorded. */
  readonly latency: Latency;
}

/** In milliseconds, from the request to the first byte, and from there to the last. */
export interface Latency {
  readonly firstByteMs: number;
  readonly receiveMs: number;
}

const noLatency: Latency = { firstByteMs: 0, receiveMs: 0 };
const noBody = Buffer.alloc(0);
const bodyless = new Set([204, 304]);

/** The answer to a request that is not in the capture. */
export const notInCapture: MockAnswer = prepare(
  404,
  ["content-type", "text/plain"],
  null,
  Buffer.from("Not in the capture.\n"),
  noLatency,
);

/** The recorded answer of an entry; an empty 200 where the capture has none. */
export function prepareAnswer(entry: CaptureEntry, isOfCapture: (origin: string) => boolean): MockAnswer {
  const { request, response } = entry;
  const latency = latencyOf(entry);
  if (response === null || !hasAnswer(response.status)) return prepare(200, [], null, noBody, latency);
  const { status } = response;
  const location = rebaseLocation(response, request.url, isOfCapture);
  const headers = keepAnswerHeaders(response, location.isReplaced, entry.startedAtMs ?? Date.now());
  const body = bodyless.has(status) ? noBody : bodyOf(response);
  return prepare(
    status,
    location.added === null ? headers : [...headers, "location", location.added],
    location.path,
    body,
    latency,
  );
}

/** Returns true if the capture has the status of an answer: a blocked or aborted request has none. */
export function hasAnswer(status: number | null | undefined): status is number {
  return status !== null && status !== undefined && status >= 200;
}

/** `connect` contains TLS. The browser's queue is left out, since the client has its own. */
function latencyOf({ timings }: CaptureEntry): Latency {
  const { dnsMs, connectMs, sendMs, waitMs, receiveMs } = timings;
  return { firstByteMs: dnsMs + connectMs + sendMs + waitMs, receiveMs };
}

function bodyOf({ body, bodyBytes }: NonNullable<CaptureEntry["response"]>): Buffer {
  if (body === null) return fill(bodyBytes ?? 0);
  return "text" in body ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
}

function prepare(
  status: number,
  headers: readonly string[],
  location: string | null,
  body: Buffer,
  latency: Latency,
): MockAnswer {
  const length = bodyless.has(status) ? [] : ["content-length", String(body.length)];
  return { status, headers: [...headers, ...length], location, body, latency };
}

const pattern = "bearhug mock: the capture has only the length of this body, not its text.\n";
/** The largest body made up for a size in a capture, which may be wrong. */
const maxBytes = 64 * 1024 * 1024;

let longest = Buffer.alloc(0);

/** A body of a given length, for answers whose size alone was recorded: transfers stay as heavy as they were. */
function fill(bytes: number): Buffer {
  const length = Math.min(bytes, maxBytes);
  if (longest.length < length) longest = Buffer.alloc(length, pattern);
  return longest.subarray(0, length);
}
