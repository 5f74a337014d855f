import { modifyingMethods } from "@bearhug/sdk/internal";
import type { Referer } from "../capture-model.ts";
import type { EntryRequest, Header } from "../capture.ts";
import { parsePairs } from "../parse-pairs.ts";
import type { KnownAtoms } from "./known-atoms.ts";

/**
 * The page that sent a request which changes something: sites reject requests that their own pages did not
 * send.
 */
export interface SentFrom {
  /** The `origin` header, if it names another host than the request's own; none otherwise. */
  readonly headers: readonly Header[];
  readonly referer: Referer | null;
}

const nowhere: SentFrom = { headers: [], referer: null };

export function sentFrom(request: EntryRequest, url: URL, known: KnownAtoms): SentFrom {
  if (!namesPage(request)) return nowhere;
  const origin = URL.parse(headerOf(request, "origin") ?? "");
  const referer = URL.parse(headerOf(request, "referer") ?? "");
  const isElsewhere = origin !== null && isHttp(origin) && origin.origin !== url.origin;
  return {
    headers: isElsewhere ? [["origin", origin.origin]] : [],
    referer: referer?.origin === url.origin ? refererOf(referer, known) : null,
  };
}

function refererOf({ pathname, search }: URL, known: KnownAtoms): Referer {
  return { path: known.path(pathname), query: parsePairs(search.slice(1)) };
}

/** Returns true for a request that changes something and names the page that it came from. */
export function namesPage(request: EntryRequest): boolean {
  const hasPage = headerOf(request, "origin") !== null || headerOf(request, "referer") !== null;
  return hasPage && modifyingMethods.has(request.method.toUpperCase());
}

function headerOf({ headers }: EntryRequest, name: string): string | null {
  return headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? null;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
