import type { Visit } from "../visit.ts";
import { isCall } from "./request-kind.ts";
import { type Span, spanOf } from "./span.ts";

/** So often something is asked for before it is a rhythm. */
const leastPolls = 3;
/** How far timers are off: the distances are otherwise the same. */
const offMs = 50;
const offShare = 0.1;

/** Makes one step of those in a row that ask for the same at equal distances: a script waits there, not a person. */
export function joinPolls(steps: readonly (readonly Visit[])[]): Visit[][] {
  const joined: Visit[][] = [];
  for (let at = 0; at < steps.length;) {
    const polls = pollsFrom(steps, at);
    const isRhythm = polls.length >= leastPolls;
    joined.push(isRhythm ? polls : [...(steps[at] ?? [])]);
    at += isRhythm ? polls.length : 1;
  }
  return joined;
}

/** The longest run of polls that begins with the step at this place, one visit of each. */
function pollsFrom(steps: readonly (readonly Visit[])[], from: number): Visit[] {
  const polls: Visit[] = [];
  const rhythm = new Rhythm();
  for (let at = from; at < steps.length; at++) {
    const visit = pollIn(steps[at] ?? []);
    if (visit === null || (polls[0] !== undefined && askedFor(visit) !== askedFor(polls[0]))) break;
    if (!rhythm.keepsWith(spanOf(visit))) break;
    polls.push(visit);
  }
  return polls;
}

/** Timers count from one start to the next, or from an answer on. */
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
    return this.#longestMs - this.#shortestMs <= Math.max(offMs, this.#longestMs * offShare);
  }
}

/** What a step asks for by itself, and for nothing else. */
function pollIn([visit, ...others]: readonly Visit[]): Visit | null {
  if (visit === undefined || others.length > 0 || !isCall(visit)) return null;
  return visit.entry.request.method.toUpperCase() === "GET" ? visit : null;
}

/** Times of a clock in it, against caches, are no difference. */
function askedFor({ url }: Visit): string {
  return url.href.replace(/\d{10,}/g, "");
}
