import { isSecretName } from "../secrets/secret-names.ts";
import { isDistinctive } from "./distinctive.ts";
import type { CookieSource } from "./source.ts";
import type { Use } from "./use.ts";

/** A cookie that has a value at the time of a use, and whether as it is or percent-decoded. */
export interface FoundCookie {
  readonly cookie: CookieSource;
  readonly isDecoded: boolean;
}

/** Which values are a cookie's: pages send one again in a header or a field to show that they may read it. */
export class CookieLookup {
  readonly #byName: ReadonlyMap<string, readonly CookieSource[]>;
  readonly #byValue = new Map<string, FoundCookie[]>();

  constructor(byName: ReadonlyMap<string, readonly CookieSource[]>) {
    this.#byName = byName;
    for (const cookie of [...byName.values()].flat()) {
      this.#add(cookie.value, { cookie, isDecoded: false });
      const decoded = decode(cookie.value);
      if (decoded !== cookie.value) this.#add(decoded, { cookie, isDecoded: true });
    }
  }

  /** The cookie that a visitor has at that moment with this value; null where there is none. */
  find(value: string, { by, name }: Use): FoundCookie | null {
    const found = this.#byValue.get(value) ?? [];
    const held = found.find(({ cookie }) => this.#heldAt(cookie.name, cookie.origin, by.wave) === cookie);
    if (held === undefined) return null;
    const isMeant = isDistinctive(value) || (value.length >= 4 && isSecretName(name));
    return isMeant ? held : null;
  }

  /** What was set last, by the wave in which it is used. */
  #heldAt(name: string, origin: string, wave: number): CookieSource | undefined {
    return this.#byName.get(name)?.findLast((one) => one.origin === origin && one.knownFrom <= wave);
  }

  #add(value: string, found: FoundCookie): void {
    if (value === "") return;
    const others = this.#byValue.get(value);
    if (others === undefined) this.#byValue.set(value, [found]);
    else others.push(found);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
