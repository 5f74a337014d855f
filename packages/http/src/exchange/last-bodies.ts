import { inOwnMemory, SharedBody, type SharedMemory } from "../response/shared-body.ts";

/** The last bodies of a worker, with their decoded forms, may take so many bytes. */
const mostBytes = 64 * 1024 * 1024;
const mostEndpoints = 4096;

const nothing = new Uint8Array(0);

/**
 * The last bodies of each endpoint that a worker asks. A response whose body is equal to one of them shares its memory. An
 * endpoint that is asked only once leaves no body here.
 */
export class LastBodies implements SharedMemory {
  readonly #budget: BodyBudget;
  readonly #limitBytes: number;
  /** In the order in which room is looked for. */
  readonly #endpoints = new Map<object, EndpointBodies>();
  #bytes = 0;

  constructor(budget: BodyBudget, limitBytes: number = mostBytes) {
    this.#budget = budget;
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A body of the endpoint that begins with `start` and goes on with `chunk`; null where there is none. */
  find(endpoint: object, chunk: Uint8Array, start: Uint8Array = nothing): SharedBody | null {
    return this.#endpoints.get(endpoint)?.find(start, chunk) ?? null;
  }

  /** A whole body was equal to `body`. */
  repeat(endpoint: object, body: SharedBody): void {
    this.#forget(this.#endpoints.get(endpoint)?.repeat(body) ?? null);
  }

  /** A whole body of so many bytes came in `pieces`. Returns it as it is shared from now on; null where it is not. */
  add(endpoint: object, pieces: readonly Uint8Array[], bytes: number): SharedBody | null {
    const bodies = this.#endpoints.get(endpoint);
    if (bodies === undefined) {
      this.#endpoints.set(endpoint, new EndpointBodies());
      this.#makeRoom(0);
      return null;
    }
    const equal = bodies.equalTo(pieces);
    if (equal !== null) {
      this.#forget(bodies.repeat(equal));
      return equal;
    }
    const body = bodies.wantsNew() ? this.#create(pieces, bytes) : null;
    if (body === null) return null;
    this.#forget(bodies.add(body));
    // Its endpoint may have been forgotten to make room.
    this.#endpoints.set(endpoint, bodies);
    return body;
  }

  grow(body: SharedBody, bytes: number): boolean {
    // It may itself be forgotten to make room.
    if (!this.#makeRoom(bytes) || body.isReleased) return false;
    this.#count(bytes);
    return true;
  }

  #create(pieces: readonly Uint8Array[], bytes: number): SharedBody | null {
    if (!this.#makeRoom(bytes)) return null;
    this.#count(bytes);
    return new SharedBody(inOwnMemory(pieces), this);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.hold(bytes);
  }

  /** Forgets endpoints; one that is used is passed over once. Returns false where so much never has room. */
  #makeRoom(bytes: number): boolean {
    if (bytes > this.#limitBytes / 4) return false;
    for (const [endpoint, bodies] of this.#endpoints) {
      if (this.#bytes + bytes <= this.#limitBytes && this.#endpoints.size <= mostEndpoints) break;
      this.#endpoints.delete(endpoint);
      if (bodies.isUsed) this.#endpoints.set(endpoint, bodies);
      else for (const body of bodies.clear()) this.#forget(body);
      bodies.isUsed = false;
    }
    return true;
  }

  #forget(body: SharedBody | null): void {
    if (body === null) return;
    this.#bytes -= body.heldBytes;
    this.#budget.give(body.heldBytes);
    body.release();
  }
}

/** The bodies kept of one endpoint: those that came again, and those that came once. */
const mostRepeated = 6;
const mostFresh = 2;
/** An endpoint whose bodies were new so many times in a row hardly repeats itself: then only one in so many is kept. */
const newInARow = 8;
const keepsOneIn = 16;

/** The last bodies of one endpoint. */
class EndpointBodies {
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

/** The bytes that bodies of a worker's running iterations may take together. */
const mostBytesOfTest = 256 * 1024 * 1024;

/** Memory is measured anew after so many bytes of bodies. */
const measureEveryBytes = 8 * 1024 * 1024;

/**
 * Bounds the bodies that a worker keeps at the same time: many virtual users, each with a large one, would take all
 * memory, and no limit of the heap counts them. A body counts until its iteration ends. A long iteration may have let go
 * of most of its bodies by then: so bodies are refused only where memory says so, too.
 */
export class BodyBudget {
  readonly #onFull: () => void;
  readonly #limitBytes: number;
  readonly #measure: () => number;
  #heldBytes = 0;
  #unmeasuredBytes = 0;
  #memoryBytes = 0;

  /** `onFull` is called whenever a body finds no room. `measure`: bytes of all buffers of this thread. */
  constructor(
    onFull: () => void,
    limitBytes: number = mostBytesOfTest,
    measure: () => number = () => process.memoryUsage().arrayBuffers,
  ) {
    this.#onFull = onFull;
    this.#limitBytes = limitBytes;
    this.#measure = measure;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Counts some bytes of a body; false where there is no room for them. */
  take(bytes: number): boolean {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
    if (this.#unmeasuredBytes >= measureEveryBytes || this.#isFull()) this.#look();
    if (!this.#isFull()) return true;
    this.#onFull();
    return false;
  }

  /** Counts bytes that something else bounds. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  #look(): void {
    this.#unmeasuredBytes = 0;
    this.#memoryBytes = this.#measure();
  }

  /** Past twice the limit, a test keeps bodies of iterations that have ended. */
  #isFull(): boolean {
    if (this.#memoryBytes <= this.#limitBytes) return false;
    return this.#heldBytes > this.#limitBytes || this.#memoryBytes > 2 * this.#limitBytes;
  }
}
