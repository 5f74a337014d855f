import { inOwnMemory, SharedBody, type SharedMemory } from "../response/shared-body.ts";

/** Limit for a worker's last bodies together with their decoded forms. */
const maxBytes = 64 * 1024 * 1024;
const maxEndpoints = 4096;

const nothing = new Uint8Array(0);

/**
 * The last bodies of each endpoint that a worker requests. A response whose body equals one of them shares
 * its memory. An endpoint that is requested only once leaves no body here.
 */
export class LastBodies implements SharedMemory {
  readonly #budget: BodyBudget;
  readonly #limitBytes: number;
  /** In the order in which they are considered for eviction. */
  readonly #endpoints = new Map<object, EndpointBodies>();
  #bytes = 0;

  constructor(budget: BodyBudget, limitBytes: number = maxBytes) {
    this.#budget = budget;
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a body of the endpoint that starts with `start` followed by `chunk`; null if there is none. */
  find(endpoint: object, chunk: Uint8Array, start: Uint8Array = nothing): SharedBody | null {
    return this.#endpoints.get(endpoint)?.find(start, chunk) ?? null;
  }

  /** Notes that another whole body was equal to `body`. */
  noteRepeat(endpoint: object, body: SharedBody): void {
    this.#forget(this.#endpoints.get(endpoint)?.noteRepeat(body) ?? null);
  }

  /** Adds a whole body of `bytes` bytes in `pieces`. Returns its shared form; null if it is not shared. */
  add(endpoint: object, pieces: readonly Uint8Array[], bytes: number): SharedBody | null {
    const bodies = this.#endpoints.get(endpoint);
    if (bodies === undefined) {
      this.#endpoints.set(endpoint, new EndpointBodies());
      this.#makeRoom(0);
      return null;
    }
    const equal = bodies.equalTo(pieces);
    if (equal !== null) {
      this.#forget(bodies.noteRepeat(equal));
      return equal;
    }
    const body = bodies.shouldKeepNew() ? this.#create(pieces, bytes) : null;
    if (body === null) return null;
    this.#forget(bodies.add(body));
    // Making room may have evicted its endpoint.
    this.#endpoints.set(endpoint, bodies);
    return body;
  }

  grow(body: SharedBody, bytes: number): boolean {
    // Making room may evict this body itself.
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

  /** Evicts endpoints; one in use gets a second chance. Returns false if `bytes` is too large ever to fit. */
  #makeRoom(bytes: number): boolean {
    if (bytes > this.#limitBytes / 4) return false;
    for (const [endpoint, bodies] of this.#endpoints) {
      if (this.#bytes + bytes <= this.#limitBytes && this.#endpoints.size <= maxEndpoints) break;
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
    this.#budget.free(body.heldBytes);
    body.release();
  }
}

/** Bodies kept per endpoint: those received repeatedly, and those received once. */
const maxRepeated = 6;
const maxFresh = 2;
/** After so many new bodies in a row an endpoint is unlikely to repeat one: then only one in 16 is kept. */
const newInARow = 8;
const keepsOneIn = 16;

/** The last bodies of one endpoint. */
class EndpointBodies {
  /** True if a body was repeated since this was last reset. */
  isUsed = false;
  /** Both lists have the latest first. */
  readonly #repeated: SharedBody[] = [];
  readonly #fresh: SharedBody[] = [];
  #newInARow = 0;

  /** Returns the body that starts with `start` followed by `chunk`; null if there is none. */
  find(start: Uint8Array, chunk: Uint8Array): SharedBody | null {
    return this.#first((body) => body.hasAt(start.length, chunk) && body.hasAt(0, start));
  }

  /** Returns the body whose bytes are `pieces`; null if there is none. */
  equalTo(pieces: readonly Uint8Array[]): SharedBody | null {
    return this.#first((body) => body.isMadeOf(pieces));
  }

  /** Notes that one of these bodies was received again. Returns the body to evict for it, or null. */
  noteRepeat(body: SharedBody): SharedBody | null {
    this.#newInARow = 0;
    this.isUsed = true;
    if (this.#repeated[0] === body) return null;
    // While it was being compared, other bodies may have displaced it.
    if (!remove(this.#repeated, body) && !remove(this.#fresh, body)) return null;
    this.#repeated.unshift(body);
    return this.#repeated.length > maxRepeated ? (this.#repeated.pop() ?? null) : null;
  }

  /** Counts a new body. Returns true if it should be kept. */
  shouldKeepNew(): boolean {
    this.#newInARow += 1;
    return this.#newInARow <= newInARow || this.#newInARow % keepsOneIn === 0;
  }

  /** Keeps a new body. Returns the body to evict for it; null if there is none. */
  add(body: SharedBody): SharedBody | null {
    this.#fresh.unshift(body);
    return this.#fresh.length > maxFresh ? (this.#fresh.pop() ?? null) : null;
  }

  /** Removes and returns all of them. */
  clear(): SharedBody[] {
    return [...this.#repeated.splice(0), ...this.#fresh.splice(0)];
  }

  #first(matches: (body: SharedBody) => boolean): SharedBody | null {
    return this.#repeated.find(matches) ?? this.#fresh.find(matches) ?? null;
  }
}

function remove(bodies: SharedBody[], body: SharedBody): boolean {
  const index = bodies.indexOf(body);
  if (index >= 0) bodies.splice(index, 1);
  return index >= 0;
}

/** Limit for the bodies of all running iterations of a worker. */
const maxBytesOfTest = 256 * 1024 * 1024;

/** Memory is measured again after this many bytes of bodies. */
const measureEveryBytes = 8 * 1024 * 1024;

/**
 * Limits the bodies that a worker keeps at the same time: many virtual users, each with a large body, would
 * use up the memory, and no heap limit counts them. A body counts until its iteration ends. A long iteration
 * may have dropped most of its bodies before that, so bodies are refused only if the measured memory is too
 * high as well.
 */
export class BodyBudget {
  readonly #onFull: () => void;
  readonly #limitBytes: number;
  readonly #measure: () => number;
  #heldBytes = 0;
  #unmeasuredBytes = 0;
  #memoryBytes = 0;

  /** `onFull` is called if a body has no room. `measure` returns the bytes of all buffers of the thread. */
  constructor(
    onFull: () => void,
    limitBytes: number = maxBytesOfTest,
    measure: () => number = () => process.memoryUsage().arrayBuffers,
  ) {
    this.#onFull = onFull;
    this.#limitBytes = limitBytes;
    this.#measure = measure;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Counts bytes of a body. Returns false if there is no room for them. */
  take(bytes: number): boolean {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
    if (this.#unmeasuredBytes >= measureEveryBytes || this.#isFull()) this.#measureMemory();
    if (!this.#isFull()) return true;
    this.#onFull();
    return false;
  }

  /** Counts bytes that have a limit elsewhere. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
  }

  free(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  #measureMemory(): void {
    this.#unmeasuredBytes = 0;
    this.#memoryBytes = this.#measure();
  }

  /** Memory past twice the limit means that the test keeps bodies of iterations that have ended. */
  #isFull(): boolean {
    if (this.#memoryBytes <= this.#limitBytes) return false;
    return this.#heldBytes > this.#limitBytes || this.#memoryBytes > 2 * this.#limitBytes;
  }
}
