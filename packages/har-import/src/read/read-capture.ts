import { z } from "@bearhug/sdk/internal";

import type { Capture, CaptureEntry, CapturePage, Finding } from "../capture.ts";
import { Lists } from "../lists.ts";
import { attachBodies, type BodyOf } from "./attached-bodies.ts";
import { type Chunks, scanCapture } from "./scan-capture.ts";
import { milliseconds, parseStart, text, textOrNumber } from "./json-fields.ts";
import { readEntry } from "./read-entry.ts";
import { KnownHeaders } from "./read-messages.ts";

interface ReadOptions {
  /**
   * Read the responses' bodies. Without them every `body` is null, and memory stays small however large the
   * file is. @default true
   */
  readonly bodies?: boolean;
  /** Reads bodies that the capture keeps in separate files. @default such bodies count as not recorded */
  readonly bodyOf?: BodyOf;
}

/**
 * Reads a HAR file leniently: a part that cannot be read is a finding, and the rest is read.
 *
 * @param chunks The file's bytes, in pieces of any size.
 * @throws CaptureError when the file as a whole is not a capture.
 */
export async function readCapture(chunks: Chunks, options: ReadOptions = {}): Promise<Capture> {
  const pages: CapturePage[] = [];
  const entries: CaptureEntry[] = [];
  const findings: Finding[] = [];
  const known = new KnownHeaders();
  for await (const item of scanCapture(chunks, options)) {
    if (item.kind === "finding") findings.push(item.finding);
    else if (item.kind === "page") pages.push(readPage(item.json));
    else if (item.kind === "entry") {
      await attachBodies(item.json, item.index, options, findings);
      const entry = readEntry(item.json, item.index, findings, known);
      if (entry !== null) entries.push(entry);
    }
  }
  return { pages, entries: inferQueueTimes(entries), findings };
}

/** Types of content in which there is no value that a later request could use. */
const withoutValues =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/css|application\/(?:font|x-font|wasm|vnd\.ms-fontobject))/i;

const contentType = z.compile(
  z.object({
    response: z.object({ content: z.object({ mimeType: z.string() }) }),
  }),
);

/**
 * Calls `visit` for each entry of a HAR file with its response's body, in file order, and keeps none of them.
 * Images, audio, video, fonts and style sheets come without their bodies. Entries that cannot be read are
 * skipped: `readCapture` reports them.
 *
 * @throws CaptureError when the file as a whole is not a capture.
 */
export async function visitResponses(
  chunks: Chunks,
  visit: (entry: CaptureEntry) => void,
  { bodyOf }: { readonly bodyOf?: BodyOf } = {},
): Promise<void> {
  const attached = bodyOf === undefined ? {} : { bodyOf };
  for await (const item of scanCapture(chunks, { bodies: mayHaveValues })) {
    if (item.kind !== "entry") continue;
    await attachBodies(item.json, item.index, { ...attached, bodies: mayHaveValues(item.json) }, []);
    const entry = readEntry(item.json, item.index, []);
    if (entry !== null) visit(entry);
  }
}

function mayHaveValues(entry: unknown): boolean {
  const typed = contentType.safeParse(entry);
  return !typed.success || !withoutValues.test(typed.data.response.content.mimeType);
}

const pageSchema = z.compile(
  z.object({
    id: textOrNumber,
    title: text,
    startedDateTime: text,
    pageTimings: z.object({ onLoad: milliseconds }).catch({ onLoad: null }),
  }),
);

/** Reads a page of the file's list. If it is not an object, the page has no name and no entries. */
export function readPage(raw: unknown): CapturePage {
  const page = pageSchema.safeParse(raw);
  if (!page.success) return { id: "", title: "", startedAtMs: null, loadedAfterMs: null };
  const { id, title, startedDateTime, pageTimings } = page.data;
  return { id, title, startedAtMs: parseStart(startedDateTime), loadedAfterMs: pageTimings.onLoad };
}

/** Connections that a browser opens to a host that speaks HTTP/1. */
const perHost = 6;
/** Tolerance: the times of recorders overlap a little. */
const overlapMs = 20;
const origin = /^https?:\/\/[^/?#]+/i;

/**
 * Infers how long requests waited for a connection, which some recorders count as the wait for the response:
 * over HTTP/1, requests to a host run on six connections, in the order in which they were made.
 */
function inferQueueTimes(entries: readonly CaptureEntry[]): readonly CaptureEntry[] {
  const hosts = new Lists<string, Run>();
  for (const [index, entry] of entries.entries()) {
    const run = runOf(entry, index);
    const host = run === null ? undefined : origin.exec(entry.request.url)?.[0];
    if (run !== null && host !== undefined) hosts.add(host.toLowerCase(), run);
  }
  const queuedMs = new Map<number, number>();
  for (const runs of hosts.values()) if (runs.length > perHost) findQueues(runs, queuedMs);
  if (queuedMs.size === 0) return entries;
  return entries.map((entry, index) => withQueue(entry, queuedMs.get(index) ?? 0));
}

/** The time in which a request had a connection, as recorded. */
interface Run {
  readonly index: number;
  readonly startMs: number;
  readonly endMs: number;
}

function runOf(
  { protocol, servedBy, startedAtMs, durationMs, timings }: CaptureEntry,
  index: number,
): Run | null {
  if (protocol !== "http/1" || servedBy !== "network" || startedAtMs === null || durationMs === null)
    return null;
  return {
    index,
    startMs: startedAtMs + Math.min(timings.blockedMs, durationMs),
    endMs: startedAtMs + durationMs,
  };
}

function findQueues(runs: readonly Run[], queuedMs: Map<number, number>): void {
  const freeAtMs: number[] = [];
  for (const { index, startMs, endMs } of runs.toSorted((left, right) => left.startMs - right.startMs)) {
    if (freeAtMs.length < perHost) {
      freeAtMs.push(endMs);
      continue;
    }
    const earliest = Math.min(...freeAtMs);
    // A request that ended before a connection came free had one of its own: it did not come from a browser.
    if (earliest >= endMs) continue;
    if (earliest > startMs + overlapMs) queuedMs.set(index, earliest - startMs);
    freeAtMs[freeAtMs.indexOf(earliest)] = endMs;
  }
}

/** Counts the wait for a connection as blocked time, and no longer as the wait for the response. */
function withQueue(entry: CaptureEntry, queuedMs: number): CaptureEntry {
  if (queuedMs === 0) return entry;
  const { timings, durationMs } = entry;
  const waitMs = Math.max(0, timings.waitMs - queuedMs);
  const receiveMs = Math.max(0, timings.receiveMs - Math.max(0, queuedMs - timings.waitMs));
  const isMeasured = timings.waitMs + timings.receiveMs > 0;
  const ran = isMeasured
    ? { waitMs, receiveMs }
    : { waitMs: Math.max(0, (durationMs ?? 0) - queuedMs), receiveMs: 0 };
  return { ...entry, timings: { ...timings, ...ran, blockedMs: timings.blockedMs + queuedMs } };
}
