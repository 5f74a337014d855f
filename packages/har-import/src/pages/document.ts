import type { CaptureEntry } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** The document of requests in recorded order: the first that a person would call a page, else the first answer. */
export function findDocument(visits: readonly Visit[]): Visit | undefined {
  return (
    visits.find(({ entry }) => isDocument(entry) && !isRedirect(entry)) ??
    visits.find(({ entry }) => !isRedirect(entry)) ??
    visits[0]
  );
}

/**
 * Puts the document before everything else and leaves the rest as recorded. What a document was redirected from
 * was the browser's first step to it, so a page begins there.
 */
export function documentFirst(visits: readonly Visit[]): readonly Visit[] {
  const first = visits.find(({ entry }) => isDocument(entry) || (isRedirect(entry) && !isSubresource(entry)));
  return first === undefined ? visits : [first, ...visits.filter((visit) => visit !== first)];
}

function isDocument(entry: CaptureEntry): boolean {
  if (entry.resourceType !== "") return entry.resourceType === "document";
  const destination = requestHeader(entry, "sec-fetch-dest");
  if (destination !== undefined) return destination === "document";
  if (requestHeader(entry, "x-requested-with") !== undefined) return false;
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(entry.response?.mimeType ?? "");
}

function isSubresource(entry: CaptureEntry): boolean {
  const destination = requestHeader(entry, "sec-fetch-dest") ?? entry.resourceType;
  if (destination !== "") return destination !== "document";
  return !(requestHeader(entry, "accept") ?? "text/html").includes("text/html");
}

function isRedirect({ response }: CaptureEntry): boolean {
  const status = response?.status ?? 0;
  return status >= 300 && status < 400 && status !== 304;
}

function requestHeader(entry: CaptureEntry, name: string): string | undefined {
  return entry.request.headers.find(([written]) => written.toLowerCase() === name)?.[1];
}
