import { modifyingMethods } from "@bearhug/sdk/internal";

import type { Visit } from "../visit.ts";
import type { CaptureEntry } from "../capture.ts";
import { lastEarly, Lists } from "../lists.ts";
import { isCall, type Span, spanOf } from "./timed-visit.ts";
import type { DocumentPart } from "./find-pages.ts";

/** The visits of a step, and what its name is made from. */
export interface StepDraft {
  /** Number of documents at the beginning: the page itself, and redirects to it. 0 for a step without a page. */
  readonly documents: number;
  /** "" if the capture's title belongs to another step. */
  readonly title: string;
  readonly visits: readonly Visit[];
}

/** After a pause this long, the next request counts as something new. */
const idleMs = 500;
/** A call this soon after the end of others is the work of a script, not of a person. */
const followUpMs = 100;

/**
 * Splits requests into the load of a document and what was done after it: each list is a step. All requests
 * until the browser's `load` event are one load, and so are those that they cause at once. Other calls that
 * wait for the end of a load begin a step of their own; late files (an icon, an image scrolled to) belong to
 * the load for half a second. If no `load` event was recorded, a call that changes something counts as a
 * click once all other responses are in.
 */
export function splitSteps(
  { lead, rest }: DocumentPart,
  recordedLoadedAtMs: number | null,
  leftOut: LeftOut = new LeftOut(),
): Visit[][] {
  let step = [...lead];
  const steps = [step];
  let isLoad = lead.length > 0;
  let quietAtMs = lead.reduce((latest, visit) => Math.max(latest, spanOf(visit)?.endMs ?? 0), 0);
  // A page is not loaded before its document is.
  const loadedAtMs =
    recordedLoadedAtMs !== null && recordedLoadedAtMs >= quietAtMs ? recordedLoadedAtMs : null;
  for (const visit of rest) {
    const span = spanOf(visit);
    quietAtMs = leftOut.quietBefore(visit.entry, quietAtMs, idleMs);
    const isOwn = (visit.entry.initiator?.url ?? null) !== null;
    if (step.length > 0 && beginsStep(visit, span, { quietAtMs, isLoad, loadedAtMs, isOwn })) {
      step = [];
      steps.push(step);
      isLoad = false;
    }
    step.push(visit);
    quietAtMs = Math.max(quietAtMs, span?.endMs ?? 0);
  }
  const isLoaded = lead.length > 0;
  const done = joinPolls(isLoaded ? steps.slice(1) : steps);
  return [...(isLoaded ? steps.slice(0, 1) : []), ...done].filter((visits) => visits.length > 0);
}

interface Situation {
  /** The last end of the requests so far. */
  readonly quietAtMs: number;
  readonly isLoad: boolean;
  readonly loadedAtMs: number | null;
  /** True if something that the page had loaded is the initiator, from a cache or not. */
  readonly isOwn: boolean;
}

function beginsStep(
  visit: Visit,
  span: Span | null,
  { quietAtMs, isLoad, loadedAtMs, isOwn }: Situation,
): boolean {
  if (span === null || span.startMs < quietAtMs) return false;
  if (isLoad && loadedAtMs !== null && span.startMs <= loadedAtMs) return false;
  const idleSinceMs = span.startMs - quietAtMs;
  if (idleSinceMs >= idleMs) return true;
  const isClick = idleSinceMs > followUpMs && modifyingMethods.has(visit.entry.request.method);
  if (loadedAtMs === null || isClick) return isClick;
  if (!isCall(visit)) return false;
  return isLoad ? !isOwn : idleSinceMs > followUpMs;
}

/** Fewest equal requests that count as polling. */
const leastPolls = 3;
/** Tolerated differences between the intervals of a timer. */
const toleranceMs = 50;
const toleranceShare = 0.1;

/** Joins consecutive steps that request the same at equal intervals: a script waits there, not a person. */
function joinPolls(steps: readonly (readonly Visit[])[]): Visit[][] {
  const joined: Visit[][] = [];
  for (let at = 0; at < steps.length;) {
    const polls = pollsFrom(steps, at);
    const isRhythm = polls.length >= leastPolls;
    joined.push(isRhythm ? polls : [...(steps[at] ?? [])]);
    at += isRhythm ? polls.length : 1;
  }
  return joined;
}

/** Returns the longest run of polls that begins with the step at this index, one visit of each. */
function pollsFrom(steps: readonly (readonly Visit[])[], from: number): Visit[] {
  const polls: Visit[] = [];
  const rhythm = new Rhythm();
  for (let at = from; at < steps.length; at++) {
    const visit = pollIn(steps[at] ?? []);
    if (visit === null || (polls[0] !== undefined && requestedAddress(visit) !== requestedAddress(polls[0])))
      break;
    if (!rhythm.keepsWith(spanOf(visit))) break;
    polls.push(visit);
  }
  return polls;
}

/**
 * Checks for equal intervals. Timers measure from one start to the next, or from a response to the next
 * start.
 */
class Rhythm {
  readonly #fromStarts = new Distances();
  readonly #fromEnds = new Distances();
  #last: Span | null = null;

  keepsWith(span: Span | null): boolean {
    const last = this.#last;
    this.#last = span;
    if (span === null || last === null) return span !== null;
    const isEqualFromStarts = this.#fromStarts.isEqualWith(span.startMs - last.startMs);
    return this.#fromEnds.isEqualWith(span.startMs - last.endMs) || isEqualFromStarts;
  }
}

class Distances {
  #shortestMs = Infinity;
  #longestMs = 0;

  isEqualWith(distanceMs: number): boolean {
    this.#shortestMs = Math.min(this.#shortestMs, distanceMs);
    this.#longestMs = Math.max(this.#longestMs, distanceMs);
    return this.#longestMs - this.#shortestMs <= Math.max(toleranceMs, this.#longestMs * toleranceShare);
  }
}

/** Returns the only visit of a step if it is a poll: a call with GET. */
function pollIn([visit, ...others]: readonly Visit[]): Visit | null {
  if (visit === undefined || others.length > 0 || !isCall(visit)) return null;
  return visit.entry.request.method === "GET" ? visit : null;
}

/** Returns the address of a visit without the timestamps that bypass caches. */
function requestedAddress({ url }: Visit): string {
  return url.href.replace(/\d{10,}/g, "");
}

/** Longest chain of scripts loading each other that is followed. */
const maxCauses = 16;

/**
 * The requests that are left out, such as scripts of other sites: while one of them runs, its page is still
 * loading.
 */
export class LeftOut {
  readonly #byUrl = new Lists<string, CaptureEntry>();

  constructor(entries: Iterable<CaptureEntry> = []) {
    const dated = [...entries].filter(({ startedAtMs }) => startedAtMs !== null);
    for (const entry of dated.sort((left, right) => startOf(left) - startOf(right)))
      this.#byUrl.add(entry.request.url, entry);
  }

  /**
   * Returns since when a page was quiet before a request, in milliseconds since the epoch. Requests that were
   * left out count if they led to the request.
   *
   * @param quietAtMs The last end of the requests that are kept.
   * @param idleMs A cause that starts this long after the one before does not count.
   */
  quietBefore({ initiator, startedAtMs }: CaptureEntry, quietAtMs: number, idleMs: number): number {
    const causes: CaptureEntry[] = [];
    let url = initiator?.url ?? null;
    let beforeMs = startedAtMs ?? -Infinity;
    while (url !== null && causes.length < maxCauses) {
      const fromMs = beforeMs;
      const cause = lastEarly(this.#byUrl.of(url), (entry) => startOf(entry) < fromMs);
      if (cause === undefined) break;
      causes.push(cause);
      beforeMs = cause.startedAtMs ?? beforeMs;
      url = cause.initiator?.url ?? null;
    }
    let quietMs = quietAtMs;
    for (const { startedAtMs: fromMs, durationMs } of causes.toReversed()) {
      if (fromMs === null || fromMs - quietMs >= idleMs) break;
      quietMs = Math.max(quietMs, Math.min(fromMs + (durationMs ?? 0), startedAtMs ?? Infinity));
    }
    return quietMs;
  }
}

function startOf({ startedAtMs }: CaptureEntry): number {
  return startedAtMs ?? Infinity;
}
