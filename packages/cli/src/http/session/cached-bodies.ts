import { joined, SharedBody, type ReceivedBody } from "../response/shared-body.ts";

/** Addresses whose last body is remembered. */
const maxRemembered = 4096;

/** Bodies in the caches of a worker's VUs: what thousands of visitors got alike is kept once. */
export class CachedBodies {
  readonly #last = new Map<string, WeakRef<SharedBody>>();

  /** A body with these bytes, which all who keep it share. */
  share(address: string, received: ReceivedBody): SharedBody {
    const last = this.#last.get(address)?.deref();
    if (last !== undefined && (last === received || last.isMadeOf(piecesOf(received)))) return last;
    const body = received instanceof SharedBody ? received : new SharedBody(joined(received));
    this.#last.delete(address);
    this.#last.set(address, new WeakRef(body));
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxRemembered && oldest !== undefined) this.#last.delete(oldest);
    return body;
  }
}

function piecesOf(received: ReceivedBody): readonly Uint8Array[] {
  return received instanceof SharedBody ? [received.wire] : received;
}
