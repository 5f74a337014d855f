import { contentType } from "../response-type.ts";
import type { CaptureEntry } from "../capture.ts";
import { requestHeader, resourceTypeOf } from "../select/resource-type.ts";
import { isRedirect, lastOf, type Visit } from "../visit.ts";

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
  const disposition = response?.headers.find(([name]) => name.toLowerCase() === "content-disposition")?.[1];
  if (/^\s*attachment\b/i.test(disposition ?? "")) return false;
  if (response?.status === 204 || response?.status === 205) return false;
  return !/\bpre(fetch|render)\b/i.test(purposeOf(visit.entry));
}

function purposeOf(entry: CaptureEntry): string {
  return requestHeader(entry, "sec-purpose") ?? requestHeader(entry, "purpose") ?? "";
}

function isNamedDocument(entry: CaptureEntry): boolean {
  const destination = requestHeader(entry, "sec-fetch-dest");
  if (destination !== undefined) return destination === "document";
  const mode = requestHeader(entry, "sec-fetch-mode");
  if (mode !== undefined) return mode === "navigate";
  // Chrome uses this type for the document of a frame, too, but there the parser of the page around it is the
  // initiator.
  return /^(document|main_frame)$/i.test(entry.resourceType) && entry.initiator?.type !== "parser";
}

function looksLikeDocument(visit: Visit): boolean {
  const { entry } = visit;
  if (entry.resourceType !== "" && entry.resourceType.toLowerCase() !== "document") return false;
  if (requestHeader(entry, "sec-fetch-dest") !== undefined) return false;
  if (!/^(get|post)$/i.test(entry.request.method)) return false;
  if (requestHeader(entry, "x-requested-with") !== undefined) return false;
  const accepted = requestHeader(entry, "accept")?.toLowerCase();
  // Browsers send this for navigations and frames, and display any response to it as a page.
  if (accepted?.includes("application/xhtml+xml") === true) return true;
  if (accepted?.includes("text/html") === false) return false;
  const last = lastOf(visit).entry;
  return isRedirect(last) || /^(text\/html|application\/xhtml\+xml)$/.test(contentType(last));
}

const readOnly = new Set(["GET", "HEAD"]);

/**
 * Returns true for a script's call, or a request that sends data: it may depend on any earlier response. Everything else
 * is a file of the page.
 */
export function isCall({ entry, url }: Visit): boolean {
  return !readOnly.has(entry.request.method.toUpperCase()) || resourceTypeOf(entry, url) === "xhr";
}
