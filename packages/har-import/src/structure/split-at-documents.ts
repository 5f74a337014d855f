import { isRedirect, lastOf, type Visit } from "../visit.ts";
import { type Documents, isCall } from "./document.ts";
import { type Span, spanOf } from "./timed-visit.ts";

/** Requests from one document to the next. */
export interface DocumentPart {
  /** The document last; before it what it was redirected from, where that stayed apart. Empty where there is none. */
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
/** Another site may have redirected in between; what takes longer is a person who logs in there. */
const redirectedWithinMs = 500;
/** No page has more on its way at a time. */
const maxFiles = 100;

/** Visits of one page or tab, in recorded order, cut where a person went to another document. */
export function splitAtDocuments(visits: readonly Visit[], documents: Documents): DocumentPart[] {
  let part: OpenPart = { lead: [], rest: [] };
  const parts = [part];
  for (const visit of visits) {
    if (!documents.visits.has(visit) || (!documents.areSure && isFrameOf(part, visit))) part.rest.push(visit);
    else if (isLedTo(part, visit)) part.lead.push(visit);
    else {
      const early = part.lead.length > 0 ? [] : takeEarly(part.rest, visit);
      part = { lead: [visit], rest: early };
      parts.push(part);
    }
  }
  return parts.filter(({ lead, rest }) => lead.length + rest.length > 0);
}

/** Returns true if the part has only redirects so far, and they led to this document. */
function isLedTo({ lead }: OpenPart, visit: Visit): boolean {
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

/** Takes what belongs to the document that follows out of the list. */
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
