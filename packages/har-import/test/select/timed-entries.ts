import type { CaptureEntry, EntryRequest, EntryResponse } from "../../src/capture.ts";
import {
  type HostPattern,
  type Parsed,
  parseHostPattern,
  parsePattern,
  type Pattern,
} from "../../src/select/pattern.ts";
import { selectEntries, type Selection } from "../../src/select/select-entries.ts";
import type { SelectOptions } from "../../src/select/why-omitted.ts";
import type { TimedEntry } from "../../src/visit.ts";

/** The fields of an entry that a test sets; the rest is a GET with a response. */
export type EntryFields = Omit<Partial<CaptureEntry>, "request" | "response"> & {
  readonly request?: Partial<EntryRequest>;
  readonly response?: Partial<EntryResponse> | null;
};

export function entryFor(
  url: string,
  { request = {}, response = {}, ...rest }: EntryFields = {},
): CaptureEntry {
  const timings = { blockedMs: 0, dnsMs: 0, connectMs: 0, sendMs: 0, waitMs: 10, receiveMs: 0 };
  const defaultResponse: EntryResponse = {
    status: 200,
    isAborted: false,
    headers: [],
    mimeType: "application/octet-stream",
    body: null,
    bodyBytes: 1000,
    redirectUrl: "",
  };
  return {
    index: 0,
    pageRef: null,
    startedAtMs: 0,
    resourceType: "",
    servedBy: "network",
    isWebSocket: false,
    durationMs: 10,
    timings,
    initiator: null,
    protocol: "",
    request: { method: "GET", url, headers: [], cookies: [], postData: null, bodyBytes: null, ...request },
    response: response === null ? null : { ...defaultResponse, ...response },
    ...rest,
  };
}

export function pageEntry(url: string, fields: EntryFields = {}): CaptureEntry {
  return entryFor(url, { resourceType: "document", ...fields });
}

/** Returns a POST request with a body, as browsers record it. */
export function post(text: string, mimeType = "text/plain"): Partial<EntryRequest> {
  return { method: "POST", postData: { mimeType, text, isBase64: false, params: [] } };
}

/** Numbers entries as in a file, recorded in this order. */
function timed(entries: readonly CaptureEntry[]): TimedEntry[] {
  return entries.map((entry, index) => ({ entry: { ...entry, index }, atMs: index }));
}

export function select(entries: readonly CaptureEntry[], options: SelectOptions = {}): Selection {
  return selectEntries(timed(entries), options);
}

/** Returns the URLs of the kept entries. */
export function keptOf(entries: readonly CaptureEntry[], options: SelectOptions = {}): string[] {
  return select(entries, options).kept.map(({ url }) => url.href);
}

/** Returns why each entry is omitted, or null if it is kept. */
export function reasonsOf(entries: readonly CaptureEntry[], options: SelectOptions = {}): (string | null)[] {
  const { omissions } = select(entries, options);
  return entries.map((_, index) => omissions.find(({ entryIndex }) => entryIndex === index)?.reason ?? null);
}

export function hosts(...texts: string[]): HostPattern[] {
  return texts.map((text) => valueOf(parseHostPattern(text)));
}

export function patterns(...texts: string[]): Pattern[] {
  return texts.map((text) => valueOf(parsePattern(text)));
}

function valueOf<Value>(parsed: Parsed<Value>): Value {
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.value;
}
