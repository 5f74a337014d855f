import type { CaptureEntry } from "@bearhug/har-import";
import { keepAnswerHeaders } from "./answer-headers.ts";
import { fill } from "./filler.ts";
import { rebaseLocation } from "./rebase-location.ts";

/** Everything that is sent for a request, made ready before the first one comes. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them, which leaves them as they are. */
  readonly headers: string[];
  /** Path and query to redirect to on the mock itself; null where the recorded headers say all. */
  readonly location: string | null;
  readonly body: Buffer;
  /** How long it took when it was recorded. */
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

/** What the mock says to a request that is not in the capture. */
export const notInCapture: Answer = prepare(
  404,
  ["content-type", "text/plain"],
  null,
  Buffer.from("Not in the capture.\n"),
  noLatency,
);

/** The recorded answer of an entry; an empty 200 where the capture has none. */
export function prepareAnswer(entry: CaptureEntry, isOfCapture: (origin: string) => boolean): Answer {
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

/** Whether the capture says what the server answered: not when it was blocked, aborted or left out. */
export function hasAnswer(status: number | null | undefined): status is number {
  return status !== null && status !== undefined && status >= 200;
}

/** TLS lies within `connect`; to be queued is the browser's own, and the client's again. */
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
): Answer {
  const length = bodyless.has(status) ? [] : ["content-length", String(body.length)];
  return { status, headers: [...headers, ...length], location, body, latency };
}
