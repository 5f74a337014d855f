import type { AnswerGroup } from "./answer-group.ts";

const cookieName = "bearhug_mock";
const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{1,64})(?:;|$)`);
/** A visitor is soon gone, and only a load test has so many at a time. */
const maxVisitors = 100_000;
/** Many are forgotten at once: to look for the oldest takes longer, the more before it were forgotten. */
const forgottenShare = 0.1;

/** Returns the visitor that a cookie header names; null without one. */
export function visitorOf(cookieHeader: string | undefined): string | null {
  return cookiePattern.exec(cookieHeader ?? "")?.[1] ?? null;
}

/** The `set-cookie` that makes a visitor known. */
export function visitorCookie(visitor: string): string {
  return `${cookieName}=${visitor}; Path=/; HttpOnly; SameSite=Lax`;
}

/** The answers that each visitor has had: every visitor goes through the recording alone. */
export class Visitors {
  /** By visitor, least recently seen first: by group, how often each of its answers. */
  readonly #uses = new Map<string, Map<AnswerGroup, number[]>>();
  readonly #most: number;

  constructor(most: number = maxVisitors) {
    this.#most = most;
  }

  /** Counts how often the visitor got each answer of a group; the caller updates them. A group of one answer needs none. */
  uses(visitor: string, group: AnswerGroup): number[] {
    if (!group.hasSeveral) return [];
    const visited = this.#uses.get(visitor) ?? new Map<AnswerGroup, number[]>();
    this.#uses.delete(visitor);
    this.#uses.set(visitor, visited);
    if (this.#uses.size > this.#most) this.#forget();
    const known = visited.get(group) ?? [];
    visited.set(group, known);
    return known;
  }

  #forget(): void {
    const left = this.#most * (1 - forgottenShare);
    for (const oldest of this.#uses.keys()) {
      if (this.#uses.size <= left) break;
      this.#uses.delete(oldest);
    }
  }
}
