import { lookup, type LookupAddress } from "node:dns";
import { isIP } from "node:net";

/** How long an answer is used again: the system's resolver does not tell the records' own time to live. */
const cachedForMs = 60_000;

/**
 * Resolves each host once for all connections of a worker: look-ups share few threads, and a thousand VUs asking for
 * one name at once would measure the resolver's queue.
 */
export class NameResolver {
  readonly #answers = new Map<
    string,
    { readonly untilMs: number; readonly addresses: Promise<LookupAddress[]> }
  >();

  /** The host's addresses, or null for an address literal: nothing to look up. Rejects with the resolver's error. */
  resolve(host: string, nowMs: number): Promise<LookupAddress[]> | null {
    if (isIP(host) !== 0) return null;
    const known = this.#answers.get(host);
    if (known !== undefined && known.untilMs > nowMs) return known.addresses;
    const addresses = new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(host, { all: true }, (error, found) => {
        if (error) reject(error);
        else resolve(found);
      });
    });
    this.#answers.set(host, { untilMs: nowMs + cachedForMs, addresses });
    // A failure is told to whoever waits now; the next connection asks again.
    addresses.catch(() => this.#answers.delete(host));
    return addresses;
  }
}
