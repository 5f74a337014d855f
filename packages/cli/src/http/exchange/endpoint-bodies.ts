import type { SharedBody } from "../response/shared-body.ts";

/** The bodies kept of one endpoint: those that came again, and those that came once. */
const mostRepeated = 6;
const mostFresh = 2;
/** An endpoint whose bodies were new so many times in a row hardly repeats itself: then only one in so many is kept. */
const newInARow = 8;
const keepsOneIn = 16;

/** The last bodies of one endpoint. */
export class EndpointBodies {
  /** A body came again since this was last false. */
  isUsed = false;
  /** Each latest first. */
  readonly #repeated: SharedBody[] = [];
  readonly #fresh: SharedBody[] = [];
  #newInARow = 0;

  /** The body that begins with `start` and goes on with `chunk`; null where there is none. */
  find(start: Uint8Array, chunk: Uint8Array): SharedBody | null {
    return this.#first((body) => body.hasAt(start.length, chunk) && body.hasAt(0, start));
  }

  /** The body that is made of `pieces`; null where there is none. */
  equalTo(pieces: readonly Uint8Array[]): SharedBody | null {
    return this.#first((body) => body.isMadeOf(pieces));
  }

  /** One of these bodies came again. Returns the body that must go for it; null where none must. */
  repeat(body: SharedBody): SharedBody | null {
    this.#newInARow = 0;
    this.isUsed = true;
    if (this.#repeated[0] === body) return null;
    // While it was compared, others may have taken its place.
    if (!remove(this.#repeated, body) && !remove(this.#fresh, body)) return null;
    this.#repeated.unshift(body);
    return this.#repeated.length > mostRepeated ? (this.#repeated.pop() ?? null) : null;
  }

  /** A new body came: returns true if it is to be kept. */
  wantsNew(): boolean {
    this.#newInARow += 1;
    return this.#newInARow <= newInARow || this.#newInARow % keepsOneIn === 0;
  }

  /** Keeps a new body. Returns the body that must go for it; null where none must. */
  add(body: SharedBody): SharedBody | null {
    this.#fresh.unshift(body);
    return this.#fresh.length > mostFresh ? (this.#fresh.pop() ?? null) : null;
  }

  /** Forgets all of them, and returns them. */
  clear(): SharedBody[] {
    return [...this.#repeated.splice(0), ...this.#fresh.splice(0)];
  }

  #first(isIt: (body: SharedBody) => boolean): SharedBody | null {
    return this.#repeated.find(isIt) ?? this.#fresh.find(isIt) ?? null;
  }
}

function remove(bodies: SharedBody[], body: SharedBody): boolean {
  const index = bodies.indexOf(body);
  if (index >= 0) bodies.splice(index, 1);
  return index >= 0;
}
