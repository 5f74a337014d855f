import { inOwnMemory, SharedBody, type SharedMemory } from "../response/shared-body.ts";
import type { BodyBudget } from "./body-budget.ts";
import { EndpointBodies } from "./endpoint-bodies.ts";

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
