import { BearhugError } from "@bearhug/sdk";

/** Name and value of a header, as recorded. */
export type Header = readonly [name: string, value: string];

/** Returns the value of the first header with this name, which is in lower case; null if there is none. */
export function headerOf(headers: readonly Header[], name: string): string | null {
  return headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? null;
}

/** Splits a cookie into name and value. Without `=`, it is a value without a name, as in browsers. */
export function splitCookie(pair: string): Header {
  const equals = pair.indexOf("=");
  return [pair.slice(0, Math.max(equals, 0)).trim(), pair.slice(equals + 1).trim()];
}

/** A cookie that a response sets or deletes, and the whole line that does so. */
interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly line: string;
}

export function cookiesSetBy({ response }: CaptureEntry): SetCookie[] {
  const lines = (response?.headers ?? []).filter(([name]) => name.toLowerCase() === "set-cookie");
  return lines.map(([, line]) => {
    const [name, value] = splitCookie(line.split(";", 1).join(""));
    return { name, value, line };
  });
}

/** A HAR file as read, responses included: in file order, unfiltered, with its secrets. */
export interface Capture {
  readonly pages: readonly CapturePage[];
  readonly entries: readonly CaptureEntry[];
  /** Parts of the file that could not be read. Everything else was. */
  readonly findings: readonly Finding[];
}

/** Something in the file that could not be used. Safe to print. */
export interface Finding {
  /** JSON path, such as `$.log.entries[3].request.url`. */
  readonly path: string;
  readonly problem: string;
}

/** A page that the file declares. Entries point to it by `id`, which need not be unique. */
export interface CapturePage {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch; null when absent or no date. */
  readonly startedAtMs: number | null;
  /** From its start to the browser's `load` event; null when absent. */
  readonly loadedAfterMs: number | null;
}

/** One exchange of the file. */
export interface CaptureEntry {
  /** Place in `log.entries`, from 0. */
  readonly index: number;
  readonly pageRef: string | null;
  /** Milliseconds since the epoch; null when absent or no date. */
  readonly startedAtMs: number | null;
  /** Chrome's `_resourceType`: "document", "xhr", "image"…; "" when absent. */
  readonly resourceType: string;
  /** The source of the response, if the browser recorded it. */
  readonly servedBy: "network" | "cache" | "service worker";
  readonly isWebSocket: boolean;
  /** From its start to its end; null when the file does not say. */
  readonly durationMs: number | null;
  readonly timings: EntryTimings;
  readonly initiator: Initiator | null;
  /**
   * The HTTP version: below 2, a browser opens at most six connections to a host. "" when the file does not
   * say.
   */
  readonly protocol: "http/1" | "http/2" | "http/3" | "";
  readonly request: EntryRequest;
  /** null when the file has no response to this request. */
  readonly response: EntryResponse | null;
}

/** Milliseconds; 0 where a part is absent, null or negative. `connectMs` includes `ssl`. */
export interface EntryTimings {
  readonly blockedMs: number;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly sendMs: number;
  readonly waitMs: number;
  readonly receiveMs: number;
}

/** The cause of a request, if the browser recorded it. */
export interface Initiator {
  /** Chrome's: "parser", "script", "preload", "redirect", "other"; Playwright and others write none. */
  readonly type: string;
  /** The document, style sheet or script that caused the request, as written; null when absent. */
  readonly url: string | null;
}

export interface EntryRequest {
  /** In capitals if it is a method that browsers know. */
  readonly method: string;
  /**
   * As written in the file; a bare path is completed with the host of its header. May be `data:` or not a URL
   * at all.
   */
  readonly url: string;
  readonly headers: readonly Header[];
  /** Names and values, from the file's own list or, if that is empty, from the Cookie header. */
  readonly cookies: readonly Header[];
  readonly postData: PostData | null;
  /** Length of the body as sent, recorded or not; null where the file does not say. */
  readonly bodyBytes: number | null;
}

/** The recorded body of a request. Recorders fill in `text`, `params` or both, even for GETs. */
export interface PostData {
  readonly mimeType: string;
  readonly text: string;
  readonly isBase64: boolean;
  readonly params: readonly PostParam[];
}

/** A field of a form. */
export interface PostParam {
  readonly name: string;
  readonly value: string;
  readonly fileName: string | null;
  readonly contentType: string | null;
}

/** Text, or bytes. */
export type EntryBody = { readonly text: string } | { readonly base64: string };

export interface EntryResponse {
  /** null when the file does not say; 0 when there was no response: blocked, refused, aborted. */
  readonly status: number | null;
  /** True if the browser gave up before the response was complete. */
  readonly isAborted: boolean;
  readonly headers: readonly Header[];
  readonly mimeType: string;
  /** Decoded: never compressed, whatever Content-Encoding says. null when the file leaves it out. */
  readonly body: EntryBody | null;
  /** Length of the decoded body; null when the file does not say. */
  readonly bodyBytes: number | null;
  /** "" when the response is not a redirect. */
  readonly redirectUrl: string;
}

/**
 * Returns the bytes of a capture, from the beginning on each call: large captures are read again rather than
 * kept in memory.
 */
export type CaptureSource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Thrown if a capture as a whole cannot be used. A single bad entry is only a finding. */
export class CaptureError extends BearhugError {
  override readonly name = "CaptureError";
  readonly code = "INVALID_CAPTURE";
}
