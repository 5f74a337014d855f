import { lastOf, redirectedMethod, redirectTarget, type Visit, withoutFragment } from "../visit.ts";

/** Tolerance: by the recorder's clock, the next request may start before the redirect has ended. */
const overlapMs = 100;
/** A browser follows at once, but some recorders count its DNS lookup and its connecting before the start. */
const followsWithinMs = 5_000;
/** Without dates, only the order of the file is known. */
const followsWithinEntries = 20;
/** Most redirects to one address that are kept waiting: no page has more at a time. */
const maxWaiting = 100;

/**
 * Collapses each chain of redirects into its first request, with the others as its hops. Expects recorded
 * order. A chain whose end was not recorded (on another site, in the cache) stays apart, because then each
 * part has to be requested by itself.
 */
export function collapseRedirects(visits: readonly Visit[]): readonly Visit[] {
  const followers = findFollowers(visits);
  const followed = new Set(followers.values());
  return visits.flatMap((first): readonly Visit[] => {
    if (followed.has(first)) return [];
    const chain = chainFrom(first, followers);
    const isWhole = chain.length > 1 && hasFinalResponse(lastOf(chain.at(-1) ?? first));
    return isWhole ? [{ ...first, hops: hopsOf(chain) }] : chain;
  });
}

interface Placed {
  readonly visit: Visit;
  /** Position in recorded order. */
  readonly place: number;
}

/** Returns the visit that each redirect led to. No visit follows two redirects. */
function findFollowers(visits: readonly Visit[]): Map<Visit, Visit> {
  const waiting = new Map<string, Placed[]>();
  const followers = new Map<Visit, Visit>();
  for (const [place, visit] of visits.entries()) {
    const requestAddress = addressOf(visit.entry.request.method, withoutFragment(visit.url));
    const candidates = (waiting.get(requestAddress) ?? []).filter(
      (earlier) => !isTooLate(earlier, visit, place),
    );
    const redirect = candidates.find((earlier) => isOver(earlier, visit));
    if (redirect !== undefined) followers.set(redirect.visit, visit);
    waiting.set(requestAddress, candidates.filter((earlier) => earlier !== redirect).slice(-maxWaiting));

    const last = lastOf(visit);
    const target = redirectTarget(last);
    if (target === null) continue;
    const address = addressOf(redirectedMethod(last.entry), target);
    const others = waiting.get(address) ?? [];
    others.push({ visit, place });
    waiting.set(address, others);
  }
  return followers;
}

function isTooLate({ visit, place }: Placed, next: Visit, nextPlace: number): boolean {
  const waitedMs = msBetween(visit, next);
  return waitedMs === null ? nextPlace - place > followsWithinEntries : waitedMs > followsWithinMs;
}

function isOver({ visit }: Placed, next: Visit): boolean {
  return (msBetween(visit, next) ?? 0) >= -overlapMs;
}

/**
 * Returns the time from the end of a redirect to the start of the next visit; null if the capture does not
 * say.
 */
function msBetween(visit: Visit, { entry }: Visit): number | null {
  const { startedAtMs, durationMs } = lastOf(visit).entry;
  if (startedAtMs === null || entry.startedAtMs === null) return null;
  return entry.startedAtMs - startedAtMs - (durationMs ?? 0);
}

function addressOf(method: string, href: string): string {
  return `${method} ${href}`;
}

function chainFrom(first: Visit, followers: ReadonlyMap<Visit, Visit>): Visit[] {
  const chain = [first];
  for (let next = followers.get(first); next !== undefined; next = followers.get(next)) chain.push(next);
  return chain;
}

/** Returns all visits after the first, with the hops that were collapsed before. */
function hopsOf([first, ...rest]: readonly Visit[]): readonly Visit[] {
  const hops = rest.flatMap((visit) => [{ ...visit, hops: [] }, ...visit.hops]);
  return first === undefined ? [] : [...first.hops, ...hops];
}

/** Returns true if a chain may end here: the response does not redirect. */
function hasFinalResponse(visit: Visit): boolean {
  return (visit.entry.response?.status ?? 0) > 0 && redirectTarget(visit) === null;
}
