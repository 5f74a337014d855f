import { modifyingMethods } from "@bearhug/sdk/internal";
import type { CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";
import type { TimedEntry } from "../visit.ts";

/**
 * Finds requests that a service worker forwarded, if the request that the worker made was recorded, too. Both
 * are one request to the server, and the worker's is the one that was sent.
 */
export function findForwarded(entries: readonly TimedEntry[]): ReadonlySet<CaptureEntry> {
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
  return modifyingMethods.has(request.method.toUpperCase());
}

function addressOf({ request }: CaptureEntry): string {
  return `${request.method.toUpperCase()} ${request.url}\n${request.postData?.text ?? ""}`;
}

/** Returns true if a request started while another one ran, or if their times are unknown. */
function isDuring(inner: CaptureEntry, outer: CaptureEntry): boolean {
  if (inner.startedAtMs === null || outer.startedAtMs === null || outer.durationMs === null) return true;
  const afterMs = inner.startedAtMs - outer.startedAtMs;
  return afterMs >= 0 && afterMs <= outer.durationMs;
}
