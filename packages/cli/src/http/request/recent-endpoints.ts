import type { Endpoint } from "./endpoint.ts";

/** Longer addresses are hardly asked for twice. */
export const longestKept = 8192;

/** The cost of an address besides its characters, and the most that each of two generations may hold. */
const overhead = 256;
const largestGeneration = 1_000_000;

type Generation = Map<string, Map<string, Endpoint>>;

/**
 * Endpoints by method and address. Those that are used stay, however many others come that are used once: when a
 * generation is full, it becomes the older one, from which only what is asked for again comes over to the new one.
 */
export class RecentEndpoints {
  #recent: Generation = new Map();
  #older: Generation = new Map();
  #size = 0;

  get(method: string, address: string): Endpoint | undefined {
    const recent = this.#recent.get(method)?.get(address);
    if (recent !== undefined) return recent;
    const older = this.#older.get(method)?.get(address);
    if (older !== undefined) this.add(method, address, older);
    return older;
  }

  /** An address that is too long to be kept is passed over; others are kept as they are: see `detachedText`. */
  add(method: string, address: string, endpoint: Endpoint): void {
    const size = overhead + address.length;
    if (address.length > longestKept) return;
    if (this.#size + size > largestGeneration) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#size = 0;
    }
    this.#size += size;
    let ofMethod = this.#recent.get(method);
    if (ofMethod === undefined) this.#recent.set(method, (ofMethod = new Map<string, Endpoint>()));
    ofMethod.set(address, endpoint);
  }
}
