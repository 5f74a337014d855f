import { isSecretName } from "@bearhug/text/secrets/secret-names";
import { percentDecode } from "../parse-pairs.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import type { Use } from "./collect-uses.ts";
import type { CookieSource } from "./source.ts";

/** A cookie that has a value at the time of a use: as it is, or percent-decoded. */
interface FoundCookie {
  readonly cookie: CookieSource;
  readonly isDecoded: boolean;
}

/** All values of one cookie (a name and an origin), in the order in which they were set. */
type History = readonly CookieSource[];

interface PlacedCookie extends FoundCookie {
  /** If a VU has several cookies with the value, the first one counts. */
  readonly place: number;
}

/** The cookies that ever had a value, each with the times at which it was set to it. */
type Holders = Map<History, Map<CookieSource, PlacedCookie>>;

/**
 * Finds the cookie that a value comes from: pages repeat cookies in a header or field to prove that they can
 * read them.
 */
export class CookieLookup {
  readonly #byValue = new Map<string, Holders>();
  #count = 0;

  constructor(byName: ReadonlyMap<string, readonly CookieSource[]>) {
    for (const cookies of byName.values()) {
      const histories = Map.groupBy(cookies, ({ origin }) => origin);
      for (const cookie of cookies) {
        const history = histories.get(cookie.origin) ?? [];
        this.#add(cookie.value, history, { cookie, isDecoded: false });
        const decoded = percentDecode(cookie.value);
        if (decoded !== cookie.value) this.#add(decoded, history, { cookie, isDecoded: true });
      }
    }
  }

  /** Returns the cookie that has this value at the time of the use; null if there is none. */
  find(value: string, { by, name }: Use): FoundCookie | null {
    const holders = this.#byValue.get(value);
    if (holders === undefined) return null;
    if (!isDistinctive(value) && (value.length < 4 || !isSecretName(name))) return null;
    let first: PlacedCookie | null = null;
    for (const [history, times] of holders) {
      const last = heldAt(history, by.wave);
      const held = last === undefined ? undefined : times.get(last);
      if (held !== undefined && (first === null || held.place < first.place)) first = held;
    }
    return first;
  }

  #add(value: string, history: History, found: FoundCookie): void {
    if (value === "") return;
    const holders: Holders = this.#byValue.get(value) ?? new Map<History, Map<CookieSource, PlacedCookie>>();
    this.#byValue.set(value, holders);
    const times = holders.get(history) ?? new Map<CookieSource, PlacedCookie>();
    holders.set(history, times);
    times.set(found.cookie, { ...found, place: this.#count++ });
  }
}

/** Returns the value that the cookie has in a wave. */
function heldAt(history: History, wave: number): CookieSource | undefined {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((history[middle]?.knownFrom ?? Infinity) <= wave) low = middle + 1;
    else high = middle;
  }
  return history[low - 1];
}
