import type { WireRequest } from "../transport/transport.ts";
import { detachedText } from "../detached-text.ts";
import { pairsOf } from "./pairs.ts";
import type { GivenHeaders } from "./request-headers.ts";

/** Longer headers are hardly sent twice, in characters. */
const longestKept = 2000;
/** An address that is asked for once is not worth it, nor are headers that differ each time. */
const firstKept = 2;
const lastKept = 18;

/**
 * The last request to an endpoint that had headers of its own, and nothing else. Most clients send the same ones each time,
 * which then need not be checked and written again.
 */
export class RepeatedRequest {
  #wire: WireRequest | null = null;
  #defaults: readonly string[] | null = null;
  /** Names and values of the request's own headers, which come first. */
  #ownLength = 0;
  #unknown = 0;

  /** Returns the request if the last one had the same headers and defaults, else null. */
  get(headers: GivenHeaders["headers"], defaults: readonly string[]): WireRequest | null {
    const wire = this.#wire;
    if (wire === null || headers === undefined || defaults !== this.#defaults) return null;
    let at = 0;
    for (const [name, value] of pairsOf<string | readonly string[]>(headers)) {
      if (wire.headers[at] !== name || wire.headers[at + 1] !== value) return null;
      at += 2;
    }
    return at === this.#ownLength ? wire : null;
  }

  /** Keeps a request that `get` did not know. Returns what is to be sent. */
  keep(headers: GivenHeaders["headers"], defaults: readonly string[], wire: WireRequest): WireRequest {
    if (headers === undefined || this.#unknown === lastKept) return wire;
    this.#unknown++;
    if (this.#unknown < firstKept) return wire;
    if (wire.headers.reduce((sum, text) => sum + text.length, 0) > longestKept) return wire;
    this.#wire = { ...wire, headers: wire.headers.map(detachedText), isConstant: true };
    this.#defaults = defaults;
    const values = [...pairsOf<string | readonly string[]>(headers)].flatMap(([, value]) => value);
    this.#ownLength = 2 * values.length;
    return this.#wire;
  }
}
