import { modifyingMethods } from "@bearhug/sdk/internal";

import type { Omission, OmissionReason } from "../capture-model.ts";
import type { Capture, CaptureEntry } from "../capture.ts";
import { printable } from "../printable.ts";
import { showUrl } from "../secrets/mask-text.ts";
import type { TimedEntry, Visit } from "../visit.ts";
import { Lists } from "../lists.ts";
import { findFirstDocument, noteRoundTrips, siteOf } from "./first-party.ts";
import { matchesHost } from "./pattern.ts";
import { findUnmatched, type SelectOptions, whyUnsendable, whyUnwanted } from "./why-omitted.ts";

export interface Selection {
  /** In the order of the input. */
  readonly kept: readonly Visit[];
  /** In file order. */
  readonly omissions: readonly Omission[];
  /** The origin of the first document; null when nothing is kept. */
  readonly origin: string | null;
  /** Remarks about the selection, a sentence each. Safe to print. */
  readonly notes: readonly string[];
}

/**
 * Separates the requests to replay to the first party from the rest. Expects recorded order: the first
 * document decides.
 */
export function selectEntries(entries: readonly TimedEntry[], options: SelectOptions = {}): Selection {
  const omissions: Omission[] = [];
  const shown: Visit[] = [];
  const sendable: Visit[] = [];
  const parseUrl = createUrlParser();
  const forwarded = findForwarded(entries);
  for (const timed of entries) {
    const url = parseUrl(timed.entry.request.url);
    const reason = forwarded.has(timed.entry)
      ? "served by a service worker"
      : whyUnsendable(timed.entry, url);
    const visit = url === null ? null : { ...timed, url, hops: noHops };
    if (reason !== null || visit === null) omissions.push(omit(timed, url, reason ?? "invalid URL"));
    else sendable.push(visit);
    if (visit !== null && (reason === null || hadResponse.has(reason))) shown.push(visit);
  }

  const first = chooseDocument(shown, sendable);
  const kept: Visit[] = [];
  const others: Visit[] = [];
  for (const [visit, reason] of first === undefined ? [] : judge(sendable, first.url, options)) {
    if (reason === null) kept.push(visit);
    else omissions.push(omit(visit, visit.url, reason));
    if (reason === "third party") others.push(visit);
  }
  omissions.sort((left, right) => left.entryIndex - right.entryIndex);
  const origin = kept.length === 0 ? null : (first?.url.origin ?? null);
  const notes = [...findUnmatched(sendable, options), ...noteRoundTrips(kept, without(others, options))];
  return { kept, omissions, origin, notes };
}

const mostKnownUrls = 20_000;

/** Parses equal addresses once: most of 100,000 requests repeat an address, and a URL is large. */
function createUrlParser(): (text: string) => URL | null {
  const known = new Map<string, URL>();
  return (text) => {
    const url = known.get(text) ?? URL.parse(text);
    if (url !== null && known.size < mostKnownUrls) known.set(text, url);
    return url;
  };
}

const noHops: readonly Visit[] = [];

type Judged = readonly [visit: Visit, reason: OmissionReason | null];

/** Decides about each request. If a site consists of nothing but analytics, they are what is tested. */
function judge(visits: readonly Visit[], document: URL, options: SelectOptions): readonly Judged[] {
  const judgeAll = (keepsOwn: boolean): Judged[] =>
    visits.map((visit) => [visit, whyUnwanted(visit, document, options, keepsOwn)]);
  const judged = judgeAll(false);
  const isAllForeign = judged.every(([, reason]) => reason !== null && isForeign.has(reason));
  return isAllForeign ? judgeAll(true) : judged;
}

const isForeign: ReadonlySet<OmissionReason> = new Set(["third party", "analytics or advertising"]);

function without(visits: readonly Visit[], { skipHosts = [] }: SelectOptions): Visit[] {
  return visits.filter(({ url }) => !skipHosts.some((pattern) => matchesHost(pattern, url)));
}

/** A document that came from a cache was displayed all the same: its site is the one that was visited. */
const hadResponse: ReadonlySet<OmissionReason> = new Set([
  "served from the browser cache",
  "served by a service worker",
]);

function chooseDocument(shown: readonly Visit[], sendable: readonly Visit[]): Visit | undefined {
  const first = findFirstDocument(shown);
  const site = first === undefined ? "" : siteOf(first.url);
  return sendable.some(({ url }) => siteOf(url) === site) ? first : findFirstDocument(sendable);
}

function omit({ entry }: TimedEntry, url: URL | null, reason: OmissionReason): Omission {
  const method = printable(entry.request.method, 20);
  return { entryIndex: entry.index, method, url: showUrl(entry.request.url), host: url?.host ?? "", reason };
}

/**
 * Finds requests that a service worker forwarded, if the request that the worker made was recorded, too. Both
 * are one request to the server, and the worker's is the one that was sent.
 */
function findForwarded(entries: readonly TimedEntry[]): ReadonlySet<CaptureEntry> {
  const forwarded = new Set<CaptureEntry>();
  const all = entries.map(({ entry }) => entry).filter(isChanging);
  const viaWorker = all.filter(({ servedBy }) => servedBy === "service worker");
  if (viaWorker.length === 0) return forwarded;
  const sent = new Lists<string, CaptureEntry>();
  for (const entry of all) if (entry.servedBy === "network") sent.add(addressOf(entry), entry);
  const places = new Map<string, number>();
  for (const entry of viaWorker) {
    const address = addressOf(entry);
    const candidates = sent.of(address);
    let place = places.get(address) ?? 0;
    while (startsBefore(candidates[place], entry)) place++;
    const own = candidates[place];
    const isOwn = own !== undefined && isDuring(own, entry);
    if (isOwn) forwarded.add(entry);
    places.set(address, isOwn ? place + 1 : place);
  }
  return forwarded;
}

function startsBefore(one: CaptureEntry | undefined, other: CaptureEntry): boolean {
  return (one?.startedAtMs ?? Infinity) < (other.startedAtMs ?? -Infinity);
}

function isChanging({ request }: CaptureEntry): boolean {
  return modifyingMethods.has(request.method);
}

function addressOf({ request }: CaptureEntry): string {
  return `${request.method} ${request.url}\n${request.postData?.text ?? ""}`;
}

/** Returns true if a request started while another one ran, or if their times are unknown. */
function isDuring(inner: CaptureEntry, outer: CaptureEntry): boolean {
  if (inner.startedAtMs === null || outer.startedAtMs === null || outer.durationMs === null) return true;
  const afterMs = inner.startedAtMs - outer.startedAtMs;
  return afterMs >= 0 && afterMs <= outer.durationMs;
}

/** An entry, and whether an import without options keeps it. */
export interface MarkedEntry {
  readonly entry: CaptureEntry;
  readonly isKept: boolean;
}

/** Returns all entries in recorded order. */
export function markSelected({ entries }: Capture): readonly MarkedEntry[] {
  const ordered = inRecordedOrder(entries);
  const kept = new Set(selectEntries(ordered).kept.map(({ entry }) => entry));
  return ordered.map(({ entry }) => ({ entry, isKept: kept.has(entry) }));
}

/** Sorts entries by the time of recording. Entries of the same time keep the order of the file. */
export function inRecordedOrder(entries: readonly CaptureEntry[]): TimedEntry[] {
  let latestMs: number | null = null;
  const timed = entries.map((entry): TimedEntry => {
    latestMs = entry.startedAtMs ?? latestMs;
    return { entry, atMs: latestMs };
  });
  return timed.sort((left, right) => compareTimes(left.atMs, right.atMs));
}

/** null comes before every time. */
function compareTimes(left: number | null, right: number | null): number {
  if (left === right) return 0;
  if (left === null) return -1;
  return right === null ? 1 : left - right;
}
