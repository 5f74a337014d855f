import { becomesGet, redirectStatuses } from "@bearhug/sdk/internal";

import type { CaptureEntry } from "./capture.ts";

/** An entry with its moment in the recording. */
export interface TimedEntry {
  readonly entry: CaptureEntry;
  /** When it was recorded; of an entry without a date, when the one before it in the file was. null before any date. */
  readonly atMs: number | null;
}

/** An entry that can be sent, its URL understood. */
export interface Visit extends TimedEntry {
  readonly url: URL;
  /** Where redirects led to from here, hop by hop: followed, not asked for. Empty where it is no redirect. */
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

/** Entries by the time they were recorded at; those of the same time, or without any, stay as in the file. */
export function inRecordedOrder(entries: readonly CaptureEntry[]): TimedEntry[] {
  let latestMs: number | null = null;
  const timed = entries.map((entry): TimedEntry => {
    latestMs = entry.startedAtMs ?? latestMs;
    return { entry, atMs: latestMs };
  });
  return timed.sort((left, right) => compareTimes(left.atMs, right.atMs));
}

/** No time comes before every time. */
function compareTimes(left: number | null, right: number | null): number {
  if (left === right) return 0;
  if (left === null) return -1;
  return right === null ? 1 : left - right;
}

export function isRedirect({ response }: CaptureEntry): boolean {
  return redirectStatuses.has(response?.status ?? 0);
}

/** Where a redirect leads, without the fragment, which no server sees; null where it is none or says nothing. */
export function redirectTarget({ entry, url }: Visit): string | null {
  if (!isRedirect(entry)) return null;
  const header = entry.response?.headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  const written = [entry.response?.redirectUrl ?? "", header].find((text) => text.trim() !== "");
  const target = written === undefined ? null : URL.parse(written.trim(), url.href);
  return target === null ? null : withoutFragment(target);
}

export function withoutFragment(url: URL): string {
  const { href } = url;
  const at = href.indexOf("#");
  return at < 0 ? href : href.slice(0, at);
}

/** The method of the request that follows a redirect. */
export function redirectedMethod({ request, response }: CaptureEntry): string {
  const method = request.method.toUpperCase();
  return becomesGet(response?.status ?? 0, method) ? "GET" : method;
}

/** The request whose answer was the last: of a chain of redirects, its end. */
export function lastOf(visit: Visit): Visit {
  return visit.hops.at(-1) ?? visit;
}
