import type { Clock } from "../../pacing/clock.ts";
import { maxCookiesOfSite, withinLimits } from "./cookie-limits.ts";
import { cookieTarget, isSentTo, readCookie, type KeptCookie } from "./cookie-rules.ts";

/** The cookies of one VU, kept as a browser keeps them; one that has none costs next to nothing. */
export class Cookies {
  readonly #clock: Pick<Clock, "date">;
  /** In the order in which they were made; null until there is one. */
  #kept: KeptCookie[] | null = null;
  /** How many there may be before the limits are looked at again. */
  #roomTo = maxCookiesOfSite;

  constructor(clock: Pick<Clock, "date">) {
    this.#clock = clock;
  }

  /** Nothing is sent anywhere. */
  get isEmpty(): boolean {
    return this.#kept === null;
  }

  /** The `cookie` header of a request; null where there is nothing to send. */
  header(url: URL): string | null {
    if (this.#kept === null) return null;
    const sent = this.sentTo(url);
    if (sent.length === 0) return null;
    const nowMs = this.#nowMs();
    for (const cookie of sent) cookie.usedAtMs = nowMs;
    return sent.map(({ name, value }) => (name === "" ? value : `${name}=${value}`)).join("; ");
  }

  /** Takes a response's `set-cookie` lines in; those that browsers would not keep are passed over. */
  store(url: URL, setCookieLines: readonly string[]): void {
    const nowMs = this.#nowMs();
    for (const line of setCookieLines) {
      const cookie = readCookie(line, url, nowMs);
      if (!(cookie instanceof Error)) this.#keep(cookie, nowMs);
    }
    this.#limit(nowMs);
  }

  /** Takes one in; throws why browsers would not keep it. */
  add(url: URL, setCookieLine: string): void {
    const nowMs = this.#nowMs();
    const cookie = readCookie(setCookieLine, url, nowMs);
    if (cookie instanceof Error) throw cookie;
    this.#keep(cookie, nowMs);
    this.#limit(nowMs);
  }

  /** What is sent to an address, in that order: longer paths first, then older ones. */
  sentTo(url: URL): readonly KeptCookie[] {
    if (this.#kept === null) return [];
    const target = cookieTarget(url);
    const nowMs = this.#nowMs();
    const sent = this.#kept.filter((cookie) => cookie.expiresAtMs > nowMs && isSentTo(cookie, target));
    return sent.sort((a, b) => b.path.length - a.path.length);
  }

  /** A new visitor. */
  clear(): void {
    this.#kept = null;
    this.#roomTo = maxCookiesOfSite;
  }

  #keep(cookie: KeptCookie, nowMs: number): void {
    const kept = (this.#kept ??= []);
    const known = kept.findIndex((other) => isSame(cookie, other));
    if (known >= 0) kept[known] = cookie;
    else kept.push(cookie);
    if (kept.length >= this.#roomTo + maxCookiesOfSite) this.#limit(nowMs);
  }

  #limit(nowMs: number): void {
    if (this.#kept === null) return;
    const left = withinLimits(this.#kept, nowMs);
    this.#kept = left.length === 0 ? null : left;
    this.#roomTo = Math.max(maxCookiesOfSite, left.length);
  }

  #nowMs(): number {
    return this.#clock.date().getTime();
  }
}

function isSame(a: KeptCookie, b: KeptCookie): boolean {
  return a.name === b.name && a.path === b.path && a.domain === b.domain && a.isHostOnly === b.isHostOnly;
}
