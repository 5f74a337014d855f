import { readBase64Text } from "../base64.ts";
import type { CaptureEntry, CapturePage, EntryBody, EntryRequest, PostData } from "../capture.ts";
import { parsePairs } from "../parse-pairs.ts";
import { missingBytes } from "../missing-body.ts";
import { knownText } from "../value.ts";
import { redactCookieValue, redactHeaders, type WrittenPair } from "./redact-headers.ts";
import { redactField, redactPairs, redactUrl } from "./redact-url.ts";
import type { Redactor } from "./redactor.ts";

const httpVersions = { "http/1": "HTTP/1.1", "http/2": "HTTP/2", "http/3": "HTTP/3", "": "" } as const;
/** Types of browsers, such as `stylesheet` and `parser`. */
const word = /^[a-z][a-z -]{0,30}$/;
/** Chrome's error for an incomplete response. */
const aborted = "net::ERR_ABORTED";

/**
 * Returns an entry to be written: only the parts that are read. Comments, stacks, messages of WebSockets,
 * addresses of servers and whatever else a recorder adds are dropped.
 */
export function redactEntry(entry: CaptureEntry, redactor: Redactor): Record<string, unknown> {
  const { initiator } = entry;
  return {
    ...(entry.pageRef === null ? {} : { pageref: redactor.text(entry.pageRef) }),
    startedDateTime: writeDate(entry.startedAtMs),
    time: entry.durationMs ?? -1,
    request: redactRequest(entry, redactor),
    response: redactResponse(entry, redactor),
    cache: {},
    timings: writeTimings(entry),
    ...(word.test(entry.resourceType) ? { _resourceType: entry.resourceType } : {}),
    ...(initiator && { _initiator: redactInitiator(initiator, redactor) }),
    ...(entry.servedBy === "cache" ? { _fromCache: "disk" } : {}),
    ...(entry.servedBy === "service worker" ? { _fetchedViaServiceWorker: true } : {}),
    ...(entry.isWebSocket ? { _webSocketMessages: [{}] } : {}),
  };
}

/**
 * Returns the parts of a duration; all of them unknown (-1) if the duration is, because 0 means no time at
 * all.
 */
function writeTimings({ timings, durationMs }: CaptureEntry): Record<string, number> {
  const { blockedMs, dnsMs, connectMs, sendMs, waitMs, receiveMs } = timings;
  const parts = {
    blocked: blockedMs,
    dns: dnsMs,
    connect: connectMs,
    send: sendMs,
    wait: waitMs,
    receive: receiveMs,
  };
  const isKnown = durationMs !== null || Object.values(parts).some((ms) => ms > 0);
  return isKnown ? parts : Object.fromEntries(Object.keys(parts).map((name) => [name, -1]));
}

/** Returns a page to be written. */
export function redactPage(page: CapturePage, redactor: Redactor): Record<string, unknown> {
  const isAddress = /^[a-z][a-z\d+.-]{1,30}:\S*$/i.test(page.title);
  return {
    startedDateTime: writeDate(page.startedAtMs),
    id: redactor.text(page.id),
    title: isAddress ? redactUrl(page.title, redactor) : redactor.text(withoutFiles(page.title)),
    pageTimings: { onContentLoad: -1, onLoad: page.loadedAfterMs ?? -1 },
  };
}

/** Removes paths of files on a disk, which reveal the user. */
function withoutFiles(title: string): string {
  return title.replace(/(?:file:\/{2,3}|[A-Za-z]:\\|\/(?:home|Users)\/)\S*/g, "file:///");
}

function redactRequest({ request, protocol }: CaptureEntry, redactor: Redactor): Record<string, unknown> {
  const url = redactUrl(request.url, redactor);
  const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
  const written = {
    method: redactor.text(request.method),
    url,
    httpVersion: httpVersions[protocol],
    cookies: request.cookies.map(([name, value]) => ({
      name: redactor.text(name),
      value: redactCookieValue(name, value, redactor),
    })),
    headers: redactHeaders(request.headers, redactor, true),
    queryString: parsePairs(query).map(({ name, value }): WrittenPair => ({
      name,
      value: knownText(value) ?? "",
    })),
    ...(request.postData && { postData: redactPostData(request.postData, redactor) }),
    headersSize: -1,
    bodySize: -1,
  };
  return { ...written, headers: withLength(written.headers, request, written.postData) };
}

/**
 * Corrects Content-Length, because placeholders differ in length: otherwise the body would look as if it was
 * not recorded in full.
 */
function withLength(
  headers: readonly WrittenPair[],
  request: EntryRequest,
  postData: WrittenPostData | undefined,
): readonly WrittenPair[] {
  if (postData === undefined || postData.text === "" || postData.encoding !== undefined) return headers;
  const bytes = new TextEncoder().encode(postData.text).length + missingBytes(request);
  return headers.map((header) =>
    header.name.toLowerCase() === "content-length" ? { ...header, value: String(bytes) } : header,
  );
}

/** A body in the form that HAR uses. */
interface WrittenPostData {
  readonly mimeType: string;
  readonly params: readonly WrittenPair[];
  readonly text: string;
  readonly encoding?: string;
}

function redactPostData(postData: PostData, redactor: Redactor): WrittenPostData {
  const { mimeType, text, isBase64 } = postData;
  const decoded = isBase64 ? readText(text, "") : text;
  const names = postData.params.map(({ name }) => name);
  const params = postData.params.map(({ name, value, fileName, contentType }) => ({
    name: redactor.text(name),
    value: redactField(name, value, names, redactor),
    ...(fileName === null ? {} : { fileName: redactor.text(fileName) }),
    ...(contentType === null ? {} : { contentType: redactor.text(contentType, "", { mayBeRandom: true }) }),
  }));
  return {
    mimeType: redactor.text(mimeType, "", { mayBeRandom: true }),
    params,
    ...(decoded === null
      ? { text: blankBytes(text), encoding: "base64" }
      : { text: redactBody(decoded, mimeType, redactor) }),
  };
}

/** Replaces bytes by as many zeros. */
function blankBytes(base64: string): string {
  return base64.replace(/[^=\s]/g, "A");
}

function redactResponse({ response, protocol }: CaptureEntry, redactor: Redactor): unknown {
  if (response === null) return null;
  const { status, mimeType, body, bodyBytes } = response;
  return {
    ...(status === null ? {} : { status }),
    statusText: "",
    httpVersion: httpVersions[protocol],
    cookies: [],
    headers: redactHeaders(response.headers, redactor, false),
    content: {
      size: bodyBytes ?? -1,
      mimeType: redactor.text(mimeType, "", { mayBeRandom: true }),
      ...redactContent(body, mimeType, redactor),
    },
    redirectURL: redactUrl(response.redirectUrl, redactor),
    headersSize: -1,
    bodySize: -1,
    ...(response.isAborted ? { _error: aborted } : {}),
  };
}

/** Keeps only the size of images and other bytes. */
function redactContent(
  body: EntryBody | null,
  mimeType: string,
  redactor: Redactor,
): { readonly text?: string } {
  if (body === null) return {};
  const text = "text" in body ? (isTextType(mimeType) ? body.text : null) : readText(body.base64, mimeType);
  return text === null ? {} : { text: redactBody(text, mimeType, redactor) };
}

function redactInitiator(
  { type, url }: NonNullable<CaptureEntry["initiator"]>,
  redactor: Redactor,
): Record<string, unknown> {
  return {
    type: word.test(type) ? type : "other",
    ...(url === null ? {} : { url: redactUrl(url, redactor) }),
  };
}

function writeDate(atMs: number | null): string {
  return atMs === null ? "" : new Date(atMs).toISOString();
}

const textType =
  /^\s*(?:text\/|application\/(?:[\w.-]*\+)?(?:json|xml|javascript|x-javascript|ecmascript|graphql|x-ndjson|x-www-form-urlencoded)|image\/svg|multipart\/)/i;
/** Types written by a site's developers: random words in them are names of files. */
const codeType = /javascript|ecmascript|css|svg/i;

function redactBody(text: string, mimeType: string, redactor: Redactor): string {
  const isForm = /x-www-form-urlencoded/i.test(mimeType) && !/[\r\n{<]/.test(text);
  return isForm
    ? redactPairs(text, redactor)
    : redactor.text(text, "", { mayBeRandom: codeType.test(mimeType) });
}

/** Returns the text that base64 encodes; null for images and other bytes. */
function readText(base64: string, mimeType: string): string | null {
  return isTextType(mimeType) ? readBase64Text(base64) : null;
}

/** Returns true for types that are written as text. Images may show people, and other bytes cannot be searched. */
function isTextType(mimeType: string): boolean {
  return mimeType === "" || textType.test(mimeType);
}
