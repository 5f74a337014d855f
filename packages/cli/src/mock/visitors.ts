import type { ResponseGroup } from "./response-group.ts";

const cookieName = "bearhug_mock";
const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{1,64})(?:;|$)`);
/** Visitors leave soon, and only a load test has this many at a time. */
const maxVisitors = 100_000;
/**
 * The share of visitors removed at once. Finding the oldest entry of a Map takes longer the more entries were
 * deleted before it, so single removals would be slow.
 */
const evictedShare = 0.1;

/** Returns the visitor in a cookie header; null if there is none. */
export function visitorOf(cookieHeader: string | undefined): string | null {
  return cookiePattern.exec(cookieHeader ?? "")?.[1] ?? null;
}

/** Returns the `set-cookie` that identifies a visitor. */
export function visitorCookie(visitor: string): string {
  return `${cookieName}=${visitor}; Path=/; HttpOnly; SameSite=Lax`;
}

/** Counts the responses of each visitor, so that every visitor goes through the recording separately. */
export class Visitors {
  /** By visitor, least recently seen first, and by group: the count of each response. */
  readonly #uses = new Map<string, Map<ResponseGroup, number[]>>();
  readonly #maxVisitors: number;

  constructor(limit: number = maxVisitors) {
    this.#maxVisitors = limit;
  }

  /**
   * Returns how often the visitor received each response of a group, which the caller updates. Empty for a
   * group with one response, which needs no count.
   */
  uses(visitor: string, group: ResponseGroup): number[] {
    if (!group.hasSeveral) return [];
    const visited = this.#uses.get(visitor) ?? new Map<ResponseGroup, number[]>();
    this.#uses.delete(visitor);
    this.#uses.set(visitor, visited);
    if (this.#uses.size > this.#maxVisitors) this.#evict();
    const known = visited.get(group) ?? [];
    visited.set(group, known);
    return known;
  }

  #evict(): void {
    const left = this.#maxVisitors * (1 - evictedShare);
    for (const oldest of this.#uses.keys()) {
      if (this.#uses.size <= left) break;
      this.#uses.delete(oldest);
    }
  }
}
