import { becomesGet, redirectStatuses } from "@bearhug/sdk/internal";
import { type CaptureEntry, headerOf } from "./capture.ts";

/** An entry with its time in the recording. */
export interface TimedEntry {
  readonly entry: CaptureEntry;
  /**
   * Start of the request, in milliseconds since the epoch. An entry without a date has that of the entry
   * before it in the file; null before the first date.
   */
  readonly atMs: number | null;
}

/** An entry that can be replayed, with its parsed URL. */
export interface Visit extends TimedEntry {
  readonly url: URL;
  /**
   * The requests that redirects led to, hop by hop: the client follows them itself. Empty if this is not a
   * redirect.
   */
  readonly hops: readonly Visit[];
}

/** Visits made together: see `CapturedStep`. */
export interface VisitStep {
  readonly kind: "page" | "group";
  readonly name: string;
  readonly waves: readonly VisitWave[];
  readonly recordedMs: number | null;
  readonly thinkAfterMs: number;
}

interface VisitWave {
  readonly afterMs: number;
  readonly visits: readonly PlannedVisit[];
}

export interface PlannedVisit {
  readonly visit: Visit;
  readonly outlasts: boolean;
  /** From the start of its step to the end of its last hop. */
  readonly recorded: { readonly startMs: number; readonly endMs: number } | null;
}

export function isRedirect({ response }: CaptureEntry): boolean {
  return redirectStatuses.has(response?.status ?? 0);
}

/**
 * Returns the address that a redirect leads to, without the fragment, which no server sees; null if this is
 * not a redirect or names no valid address.
 */
export function redirectTarget({ entry, url }: Visit): string | null {
  if (!isRedirect(entry)) return null;
  const header = headerOf(entry.response?.headers ?? [], "location") ?? "";
  const written = [entry.response?.redirectUrl ?? "", header].find((text) => text.trim() !== "");
  const target = written === undefined ? null : URL.parse(written.trim(), url.href);
  return target === null ? null : withoutFragment(target);
}

export function withoutFragment(url: URL): string {
  const { href } = url;
  const at = href.indexOf("#");
  return at < 0 ? href : href.slice(0, at);
}

/** Returns the method of the request that follows a redirect. */
export function redirectedMethod({ request, response }: CaptureEntry): string {
  return becomesGet(response?.status ?? 0, request.method) ? "GET" : request.method;
}

/** Returns the last request of a chain of redirects: the one with the final response. */
export function lastOf(visit: Visit): Visit {
  return visit.hops.at(-1) ?? visit;
}
