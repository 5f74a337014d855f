import { changingMethods } from "@bearhug/sdk/internal";
import type { CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";
import type { TimedEntry } from "../visit.ts";

/**
 * Requests that a service worker passed on, where the request that the worker made was recorded, too. Both are one request
 * to the server, and the worker's is the one that was sent.
 */
export function findPassedOn(entries: readonly TimedEntry[]): ReadonlySet<CaptureEntry> {
  const passedOn = new Set<CaptureEntry>();
  const all = entries.map(({ entry }) => entry).filter(isChanging);
  const taken = all.filter(({ servedBy }) => servedBy === "service worker");
  if (taken.length === 0) return passedOn;
  const sent = new Lists<string, CaptureEntry>();
  for (const entry of all) if (entry.servedBy === "network") sent.add(addressOf(entry), entry);
  const places = new Map<string, number>();
  for (const entry of taken) {
    const address = addressOf(entry);
    const candidates = sent.of(address);
    let place = places.get(address) ?? 0;
    while (startsBefore(candidates[place], entry)) place++;
    const own = candidates[place];
    const isOwn = own !== undefined && isDuring(own, entry);
    if (isOwn) passedOn.add(entry);
    places.set(address, isOwn ? place + 1 : place);
  }
  return passedOn;
}

function startsBefore(one: CaptureEntry | undefined, other: CaptureEntry): boolean {
  return (one?.startedAtMs ?? Infinity) < (other.startedAtMs ?? -Infinity);
}

function isChanging({ request }: CaptureEntry): boolean {
  return changingMethods.has(request.method.toUpperCase());
}

function addressOf({ request }: CaptureEntry): string {
  return `${request.method.toUpperCase()} ${request.url}\n${request.postData?.text ?? ""}`;
}

/** Returns true if a request started while another one ran, or if nobody knows. */
function isDuring(inner: CaptureEntry, outer: CaptureEntry): boolean {
  if (inner.startedAtMs === null || outer.startedAtMs === null || outer.durationMs === null) return true;
  const afterMs = inner.startedAtMs - outer.startedAtMs;
  return afterMs >= 0 && afterMs <= outer.durationMs;
}
