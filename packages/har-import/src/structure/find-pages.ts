import { headerOf, type CapturePage, type CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";
import { type Visit, isRedirect, lastOf } from "../visit.ts";
import { contentType } from "../response-type.ts";
import { requestHeader } from "../select/resource-type.ts";
import { isCall, type Span, spanOf } from "./timed-visit.ts";

/** Requests of one page, in recorded order. */
export interface PageGroup {
  readonly title: string;
  /** Time of the browser's `load` event, in milliseconds since the epoch; null if it was not recorded. */
  readonly loadedAtMs: number | null;
  readonly visits: readonly Visit[];
}

interface OpenGroup {
  readonly page: CapturePage | null;
  readonly id: string | null;
  readonly startedAtMs: number | null;
  readonly visits: Visit[];
}

/**
 * Groups requests by page, in the order of the file's pages. A request belongs to the page that it refers to;
 * if several have that id, to the one that was running. A page that the file does not declare (or no page at
 * all) becomes a page of its own, at the time of its request. A request that refers to no page belongs to the
 * one that was running. Pages without requests are dropped.
 */
export function groupByPage(pages: readonly CapturePage[], visits: readonly Visit[]): PageGroup[] {
  const groups = pages.map((page): OpenGroup => ({
    page,
    id: page.id,
    startedAtMs: page.startedAtMs,
    visits: [],
  }));
  const byId = new Lists<string | null, OpenGroup>();
  let latestMs = -Infinity;
  for (const group of groups) {
    byId.add(group.id, group);
    latestMs = Math.max(latestMs, group.startedAtMs ?? latestMs);
  }
  for (const visit of visits) {
    const { pageRef } = visit.entry;
    const candidates = pageRef === null ? groups : byId.of(pageRef);
    const group = findRunning(candidates, visit.atMs) ?? openGroup(groups, byId, visit, latestMs);
    latestMs = Math.max(latestMs, group.startedAtMs ?? latestMs);
    group.visits.push(visit);
  }
  return groups
    .filter((group) => group.visits.length > 0)
    .map(({ page, visits: own }) => ({ title: page?.title ?? "", loadedAtMs: loadedAt(page), visits: own }));
}

function loadedAt(page: CapturePage | null): number | null {
  const { startedAtMs = null, loadedAfterMs = null } = page ?? {};
  return startedAtMs === null || loadedAfterMs === null ? null : startedAtMs + loadedAfterMs;
}

/** Returns the group that started last before the time; the first group if none did. */
function findRunning(groups: readonly OpenGroup[], atMs: number | null): OpenGroup | undefined {
  let running: OpenGroup | undefined;
  for (const group of groups) {
    if (group.startedAtMs === null || atMs === null || group.startedAtMs > atMs) continue;
    if (running === undefined || group.startedAtMs >= (running.startedAtMs ?? 0)) running = group;
  }
  return running ?? groups[0];
}

/** Adds a page that the file does not declare, before the first page that started later; none started after `latestMs`. */
function openGroup(
  groups: OpenGroup[],
  byId: Lists<string | null, OpenGroup>,
  { entry, atMs }: Visit,
  latestMs: number,
): OpenGroup {
  const opened: OpenGroup = { page: null, id: entry.pageRef, startedAtMs: atMs, visits: [] };
  const isLatest = atMs === null || latestMs <= atMs;
  const later = isLatest
    ? -1
    : groups.findIndex(({ startedAtMs }) => startedAtMs !== null && startedAtMs > atMs);
  groups.splice(later < 0 ? groups.length : later, 0, opened);
  byId.add(opened.id, opened);
  return opened;
}

/** The pages that a person visited, and how certain that is. */
export interface Documents {
  readonly visits: ReadonlySet<Visit>;
  /** True if the browser recorded which they are. Otherwise a frame looks like a page. */
  readonly areSure: boolean;
}

/** Finds the documents of the main frame. If the browser marks any, none is guessed. */
export function findDocuments(visits: readonly Visit[]): Documents {
  const named = visits.filter((visit) => showsPage(visit) && isNamedDocument(visit.entry));
  if (named.length > 0) return { visits: new Set(named), areSure: true };
  return {
    visits: new Set(visits.filter((visit) => showsPage(visit) && looksLikeDocument(visit))),
    areSure: false,
  };
}

/**
 * Returns false for requests that leave the page as it is: a download, a response without content, a
 * prefetch.
 */
function showsPage(visit: Visit): boolean {
  const { response } = lastOf(visit).entry;
  const disposition = headerOf(response?.headers ?? [], "content-disposition") ?? "";
  if (/^\s*attachment\b/i.test(disposition)) return false;
  if (response?.status === 204 || response?.status === 205) return false;
  return !/\bpre(fetch|render)\b/i.test(purposeOf(visit.entry));
}

function purposeOf(entry: CaptureEntry): string {
  return requestHeader(entry, "sec-purpose") ?? requestHeader(entry, "purpose") ?? "";
}

function isNamedDocument(entry: CaptureEntry): boolean {
  const destination = requestHeader(entry, "sec-fetch-dest");
  if (destination !== null) return destination === "document";
  const mode = requestHeader(entry, "sec-fetch-mode");
  if (mode !== null) return mode === "navigate";
  // Chrome uses this type for the document of a frame, too, but there the parser of the page around it is the
  // initiator.
  return /^(document|main_frame)$/i.test(entry.resourceType) && entry.initiator?.type !== "parser";
}

function looksLikeDocument(visit: Visit): boolean {
  const { entry } = visit;
  if (entry.resourceType !== "" && entry.resourceType.toLowerCase() !== "document") return false;
  if (requestHeader(entry, "sec-fetch-dest") !== null) return false;
  if (!/^(get|post)$/i.test(entry.request.method)) return false;
  if (requestHeader(entry, "x-requested-with") !== null) return false;
  const accepted = requestHeader(entry, "accept")?.toLowerCase();
  // Browsers send this for navigations and frames, and display any response to it as a page.
  if (accepted?.includes("application/xhtml+xml") === true) return true;
  if (accepted?.includes("text/html") === false) return false;
  const last = lastOf(visit).entry;
  return isRedirect(last) || /^(text\/html|application\/xhtml\+xml)$/.test(contentType(last));
}

/** Requests from one document to the next. */
export interface DocumentPart {
  /** The document last, after the redirects to it that were not collapsed. Empty if there is none. */
  readonly lead: readonly Visit[];
  /** In recorded order. */
  readonly rest: readonly Visit[];
}

interface OpenPart {
  readonly lead: Visit[];
  readonly rest: Visit[];
}

/** A request this shortly before a document belongs to it. */
const earlyMs = 500;
/** Another site may have redirected in between; if it takes longer, a person logs in there. */
const redirectedWithinMs = 500;
/** No page has more requests in flight. */
const maxFiles = 100;

/** Cuts the visits of one page or tab, in recorded order, where a person went to another document. */
export function splitAtDocuments(visits: readonly Visit[], documents: Documents): DocumentPart[] {
  let part: OpenPart = { lead: [], rest: [] };
  const parts = [part];
  for (const visit of visits) {
    if (!documents.visits.has(visit) || (!documents.areSure && isFrameOf(part, visit))) part.rest.push(visit);
    else if (isRedirectedTo(part, visit)) part.lead.push(visit);
    else {
      const early = part.lead.length > 0 ? [] : takeEarly(part.rest, visit);
      part = { lead: [visit], rest: early };
      parts.push(part);
    }
  }
  return parts.filter(({ lead, rest }) => lead.length + rest.length > 0);
}

/** Returns true if the part has only redirects so far, and they led to this document. */
function isRedirectedTo({ lead }: OpenPart, visit: Visit): boolean {
  const before = lead.at(-1);
  if (before === undefined || !isRedirect(lastOf(before).entry)) return false;
  const waitedMs = msBetween(spanOf(before), spanOf(visit));
  return waitedMs === null || waitedMs <= redirectedWithinMs;
}

/** Returns true for a frame: it looks like a document, but files of another are still loading. */
function isFrameOf({ lead, rest }: OpenPart, visit: Visit): boolean {
  const document = lead.at(-1);
  const span = spanOf(visit);
  if (document === undefined || isRedirect(lastOf(document).entry) || span === null) return false;
  const files = [document, ...rest.slice(-maxFiles).filter((file) => !isCall(file))];
  return files.some((file) => (spanOf(file)?.endMs ?? 0) > span.startMs);
}

/** Removes the requests that belong to the next document from the list, and returns them. */
function takeEarly(rest: Visit[], document: Visit): Visit[] {
  const span = spanOf(document);
  const first = rest.findIndex((visit) => {
    const waitedMs = msBetween(spanOf(visit), span, "start");
    return waitedMs === null || waitedMs <= earlyMs;
  });
  return first < 0 ? [] : rest.splice(first);
}

function msBetween(before: Span | null, after: Span | null, from: "start" | "end" = "end"): number | null {
  if (before === null || after === null) return null;
  return after.startMs - (from === "end" ? before.endMs : before.startMs);
}
