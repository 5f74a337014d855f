import type { RequestRow } from "@bearhug/plan/protocol/shared-accounting";
import { detachedText, wholeRequestName } from "@bearhug/sdk/internal";

import type { Origin } from "../net/origin.ts";
import type { WireRequest } from "../transport/transport.ts";
import { mayMissValue } from "./missing-values.ts";
import { pairsOf } from "./pairs.ts";
import type { GivenHeaders } from "./request-headers.ts";

export interface EndpointFields {
  readonly method: string;
  readonly origin: Origin;
  /** The address in full, as it is shown. */
  readonly href: string;
  /** Path and query as they are sent, one character a byte. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** True if the address is not on the test's base host: its name then says where. */
  readonly isElsewhere?: boolean;
}

/** All about a method and address that does not change from one request to the next. */
export class Endpoint {
  readonly method: string;
  readonly origin: Origin;
  readonly href: string;
  /** The request as it is sent if it has no options of its own. */
  readonly plain: WireRequest;
  /** The row of the accounting that counts its requests, once one was made: see `EndpointCache`. */
  row: RequestRow | null = null;
  /** The last request of it that had headers of its own. */
  readonly repeated: RepeatedRequest = new RepeatedRequest();
  /** True if a value may be missing in the address: the test's own part of it then tells. */
  readonly mayMissValue: boolean;
  readonly #isElsewhere: boolean;
  #url: URL | null = null;
  #name: string | null = null;

  constructor({ method, origin, href, path, headers, isElsewhere = false }: EndpointFields) {
    this.#isElsewhere = isElsewhere;
    this.method = method;
    this.origin = origin;
    this.href = href;
    this.mayMissValue = mayMissValue(path);
    this.plain = { method, origin, path, headers, body: null, isConstant: true };
  }

  /** The same, asked without HTTP/2: on connections of its own. */
  withoutHttp2(): Endpoint {
    const { method, href } = this;
    const { path, headers } = this.plain;
    const origin: Origin = {
      ...this.origin,
      pool: `${this.origin.pool} over HTTP/1.1`,
      isWithoutHttp2: true,
    };
    return new Endpoint({ method, origin, href, path, headers, isElsewhere: this.#isElsewhere });
  }

  /** The address taken apart, when somebody asks: for most requests nobody does. */
  get url(): URL {
    return (this.#url ??= new URL(this.href));
  }

  /** The name that groups its requests, unless a request has one of its own. */
  get name(): string {
    return (this.#name ??= wholeRequestName(this.method, this.href, this.#isElsewhere));
  }
}

/** Longer headers are hardly sent twice, in characters. */
const longestKept = 2000;
/** An address that is asked for once is not worth it, nor are headers that differ each time. */
const firstKept = 2;
const lastKept = 18;

/**
 * The last request to an endpoint that had headers of its own, and nothing else. Most clients send the same ones each time,
 * which then need not be checked and written again.
 */
class RepeatedRequest {
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
