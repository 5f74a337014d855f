import { z } from "@bearhug/sdk/internal";

import { type CaptureEntry, type EntryTimings, type Finding, type Initiator, headerOf } from "../capture.ts";
import { anything, list, milliseconds, parseStart, text, textOrNumber } from "./json-fields.ts";
import {
  KnownHeaders,
  readHeaders,
  readProtocol,
  completeUrl,
  readCookies,
  readPostData,
  readSentBytes,
  isCutShort,
  readResponse,
} from "./read-messages.ts";

const flag = anything.transform((value) => value === true || (typeof value === "string" && value !== ""));

/** Methods that browsers send in capitals, however they are written. */
const caseInsensitive = /^(?:get|head|post|put|patch|delete|options|connect)$/i;

const entrySchema = z.compile(
  z.object({
    pageref: textOrNumber,
    startedDateTime: text,
    time: anything,
    timings: anything,
    request: z.object({
      method: z.string().min(1),
      url: z.string().min(1),
      httpVersion: textOrNumber,
      headers: list,
      cookies: list,
      bodySize: anything,
      postData: anything,
    }),
    response: anything,
    _initiator: anything,
    _initiator_type: text,
    _resourceType: text,
    _fromCache: flag,
    _fetchedViaServiceWorker: flag,
    // Safari's field for the source of the response.
    _fetchType: text,
    _webSocketMessages: list,
    // Playwright's fields for a failed request.
    _failureText: text,
    _wasAborted: flag,
  }),
);

type RawEntry = z.infer<typeof entrySchema>;

/**
 * Reads one element of `log.entries`; null if it has no request that could be sent, which is reported as a
 * finding.
 *
 * @param known Headers read before: pass it for entries that are kept.
 */
export function readEntry(
  raw: unknown,
  index: number,
  findings: Finding[],
  known: KnownHeaders = new KnownHeaders(),
): CaptureEntry | null {
  const path = `$.log.entries[${index}]`;
  const report = (field: string, problem: string): void =>
    void findings.push({ path: `${path}${field}`, problem });
  // zod's errors are expensive, and a hostile file has many elements that are not entries.
  const parsed = typeof raw === "object" ? entrySchema.safeParse(raw) : null;
  if (parsed?.success !== true) {
    const field = parsed?.error.issues[0]?.path.map((key) => `.${String(key)}`).join("") ?? "";
    report(field, "is missing or invalid; entry skipped");
    return null;
  }
  const { request, ...entry } = parsed.data;
  const headers = readHeaders(request.headers, known);
  const read = readResponse(entry.response, known, (field, problem) => report(`.response.${field}`, problem));
  const status = read?.response.status ?? null;
  const isAborted =
    read?.response.isAborted === true || entry._wasAborted || isCutShort(entry._failureText, status);
  const resourceType = entry._resourceType.toLowerCase();
  const protocol = readProtocol([read?.httpVersion ?? "", request.httpVersion], headers);
  return {
    index,
    pageRef: entry.pageref === "" ? null : entry.pageref,
    startedAtMs: readStart(entry.startedDateTime, report),
    resourceType,
    servedBy: read?.isFromCache === true ? "cache" : sourceOfResponse(entry),
    isWebSocket: resourceType === "websocket" || entry._webSocketMessages.length > 0,
    ...readTimings(entry.timings, entry.time),
    initiator: readInitiator(entry._initiator, entry._initiator_type),
    protocol,
    request: {
      method: caseInsensitive.test(request.method) ? request.method.toUpperCase() : request.method,
      url: completeUrl(request.url, headers, protocol),
      headers,
      cookies: readCookies(request.cookies, headers),
      postData: readPostData(request.postData, headerOf(headers, "content-type") ?? "", report),
      bodyBytes: readSentBytes(request.bodySize, headers),
    },
    response: read === null ? null : { ...read.response, isAborted },
  };
}

function readStart(written: string, report: (field: string, problem: string) => void): number | null {
  const startedAtMs = parseStart(written);
  if (startedAtMs === null && written !== "") {
    report(".startedDateTime", "is not a valid date; entry kept in file order");
  }
  return startedAtMs;
}

function sourceOfResponse({
  _fetchedViaServiceWorker,
  _fromCache,
  _fetchType,
}: Pick<RawEntry, "_fromCache" | "_fetchedViaServiceWorker" | "_fetchType">): CaptureEntry["servedBy"] {
  if (_fetchedViaServiceWorker || /^service worker$/i.test(_fetchType)) return "service worker";
  return _fromCache || /^(memory|disk) cache$/i.test(_fetchType) ? "cache" : "network";
}

const initiatorSchema = z.compile(
  z.object({ type: text, url: text, stack: anything }).nullable().catch(null),
);
const stackSchema = z.compile(z.object({ callFrames: list, parent: anything }));
const frameSchema = z.compile(z.object({ url: z.string().min(1) }));

/** Most parent stacks (asynchronous calls) that are searched. */
const maxStacks = 64;

/**
 * Reads the cause of a request. Chrome writes an object; recorders built on its protocol write a URL, with the type beside
 * it.
 */
function readInitiator(raw: unknown, typeBeside: string): Initiator | null {
  if (typeof raw === "string") return raw === "" && typeBeside === "" ? null : initiatorOf(typeBeside, raw);
  const initiator = initiatorSchema.parse(raw);
  if (initiator === null) return typeBeside === "" ? null : initiatorOf(typeBeside, "");
  const { type, url, stack } = initiator;
  return initiatorOf(type === "" ? typeBeside : type, url === "" ? topmostScript(stack) : url);
}

function initiatorOf(type: string, url: string): Initiator {
  return { type: type.toLowerCase(), url: url === "" ? null : url };
}

/**
 * Returns the script whose function was running, or had scheduled the running one; "" if none is recorded.
 */
function topmostScript(stack: unknown): string {
  let current = stack;
  for (let count = 0; count < maxStacks; count++) {
    const parsed = stackSchema.safeParse(current);
    if (!parsed.success) return "";
    for (const raw of parsed.data.callFrames) {
      const frame = frameSchema.safeParse(raw);
      if (frame.success) return frame.data.url;
    }
    current = parsed.data.parent;
  }
  return "";
}

const partsSchema = z.object({
  blocked: milliseconds,
  dns: milliseconds,
  connect: milliseconds,
  ssl: milliseconds,
  send: milliseconds,
  wait: milliseconds,
  receive: milliseconds,
});
// A value that is not an object has no parts.
const timingsSchema = z.compile(partsSchema.catch(partsSchema.parse({})));

type RawTimings = z.infer<typeof partsSchema>;

interface ReadTimings {
  readonly timings: EntryTimings;
  /** As the file states it, or the sum of the parts; null if it has neither. */
  readonly durationMs: number | null;
}

/** Reads the duration of an exchange and its parts. */
function readTimings(rawTimings: unknown, rawTime: unknown): ReadTimings {
  const raw = timingsSchema.parse(rawTimings);
  const written = milliseconds.parse(rawTime);
  const timings = {
    blockedMs: raw.blocked ?? 0,
    dnsMs: raw.dns ?? 0,
    connectMs: connectOf(raw, written),
    sendMs: raw.send ?? 0,
    waitMs: raw.wait ?? 0,
    receiveMs: raw.receive ?? 0,
  };
  const sum = Object.values(timings).reduce((total, part) => total + part, 0);
  const hasParts = Object.values(raw).some((part) => part !== null);
  // Some recorders write 0 if they did not measure the total.
  const durationMs = written === null || written === 0 ? (hasParts ? sum : written) : written;
  return { timings, durationMs };
}

/**
 * Returns the time to connect, TLS included. In HAR, `connect` includes `ssl`; Firefox and others exclude it.
 * They certainly do if `ssl` is longer than `connect`; otherwise the total time decides, if it is known.
 */
function connectOf(raw: RawTimings, written: number | null): number {
  const connect = raw.connect ?? 0;
  const ssl = raw.ssl ?? 0;
  if (ssl > connect) return connect + ssl;
  if (written === null || written === 0) return connect;
  const { blocked, dns, send, wait, receive } = raw;
  const within = [blocked, dns, connect, send, wait, receive].reduce<number>(
    (sum, part) => sum + (part ?? 0),
    0,
  );
  const isBeside = Math.abs(within + ssl - written) < Math.abs(within - written);
  return isBeside ? connect + ssl : connect;
}
