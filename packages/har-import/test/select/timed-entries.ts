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

/** What a test says about an entry; the rest is a GET with an answer. */
export type Said = Omit<Partial<CaptureEntry>, "request" | "response"> & {
  readonly request?: Partial<EntryRequest>;
  readonly response?: Partial<EntryResponse> | null;
};

export function askFor(url: string, { request = {}, response = {}, ...rest }: Said = {}): CaptureEntry {
  const timings = { blockedMs: 0, dnsMs: 0, connectMs: 0, sendMs: 0, waitMs: 10, receiveMs: 0 };
  const answer: EntryResponse = {
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
    response: response === null ? null : { ...answer, ...response },
    ...rest,
  };
}

export function askForPage(url: string, said: Said = {}): CaptureEntry {
  return askFor(url, { resourceType: "document", ...said });
}

/** A form or a body, as a browser's recording has it. */
export function post(text: string, mimeType = "text/plain"): Partial<EntryRequest> {
  return { method: "POST", postData: { mimeType, text, isBase64: false, params: [] } };
}

/** Entries in the order they were recorded in, numbered as in a file. */
function timed(entries: readonly CaptureEntry[]): TimedEntry[] {
  return entries.map((entry, index) => ({ entry: { ...entry, index }, atMs: index }));
}

export function select(entries: readonly CaptureEntry[], options: SelectOptions = {}): Selection {
  return selectEntries(timed(entries), options);
}

/** URLs of what is kept. */
export function keptOf(entries: readonly CaptureEntry[], options: SelectOptions = {}): string[] {
  return select(entries, options).kept.map(({ url }) => url.href);
}

/** Why each entry is left out; null for what is kept. */
export function reasonsOf(entries: readonly CaptureEntry[], options: SelectOptions = {}): (string | null)[] {
  const { omissions } = select(entries, options);
  return entries.map((_, index) => omissions.find(({ entryIndex }) => entryIndex === index)?.reason ?? null);
}

export function hosts(...texts: string[]): HostPattern[] {
  return texts.map((text) => understood(parseHostPattern(text)));
}

export function patterns(...texts: string[]): Pattern[] {
  return texts.map((text) => understood(parsePattern(text)));
}

function understood<Value>(parsed: Parsed<Value>): Value {
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.value;
}
