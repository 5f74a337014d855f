/** Addresses whose last body is remembered. */
const maxRemembered = 4096;

/** Bodies in the caches of a worker's VUs: what thousands of visitors got alike is kept once. */
export class CachedBodies {
  readonly #last = new Map<string, WeakRef<Uint8Array>>();

  /** One piece with these bytes, which all who keep it share; it must not be written to. */
  share(address: string, pieces: readonly Uint8Array[]): Uint8Array {
    const last = this.#last.get(address)?.deref();
    if (last !== undefined && isMadeOf(last, pieces)) return last;
    const body = joined(pieces);
    this.#last.delete(address);
    this.#last.set(address, new WeakRef(body));
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxRemembered && oldest !== undefined) this.#last.delete(oldest);
    return body;
  }
}

function isMadeOf(body: Uint8Array, pieces: readonly Uint8Array[]): boolean {
  let position = 0;
  for (const piece of pieces) {
    const part = body.subarray(position, position + piece.length);
    if (Buffer.compare(part, piece) !== 0) return false;
    position += piece.length;
  }
  return position === body.length;
}

/** Not by Buffer.concat: a small buffer is a piece of Node's pool, and would keep all of it. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const body = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    body.set(piece, position);
    position += piece.length;
  }
  return body;
}
