import type { RequestRow } from "@bearhug/plan/protocol/shared-accounting";
import { detachedText } from "@bearhug/text/detached-text";
import { uncutRequestName } from "@bearhug/text/request-name";

import type { Origin } from "../net/origin.ts";
import type { WireRequest } from "../transport/transport.ts";
import { mayMissValue } from "./missing-values.ts";
import { pairsOf } from "./pairs.ts";
import type { GivenHeaders } from "./request-headers.ts";

export interface EndpointFields {
  readonly method: string;
  readonly origin: Origin;
  /** The full address, as reports show it. */
  readonly href: string;
  /** Path and query as they are sent, one character per byte. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** True if the address is not on the test's base host: its name then includes the host. */
  readonly isElsewhere?: boolean;
}

/** The properties of a method and address that stay the same from one request to the next. */
export class Endpoint {
  readonly method: string;
  readonly origin: Origin;
  readonly href: string;
  /** The request as it is sent without options. */
  readonly plain: WireRequest;
  /** The accounting row that counts its requests; null until the first one: see `EndpointCache`. */
  row: RequestRow | null = null;
  /** The most bytes of a body that it has sent with status 200; counted only if `watchesSizes` is set. */
  largestBodyBytes = 0;
  /** The last request to it with its own headers. */
  readonly repeated: RepeatedRequest = new RepeatedRequest();
  /** True if a value may be missing in the address: the address given by the test must then be checked. */
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

  /** Returns the same endpoint without HTTP/2, on separate connections. */
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

  /** The parsed address. Parsed on first use, because most requests do not need it. */
  get url(): URL {
    return (this.#url ??= new URL(this.href));
  }

  /** The name that groups its requests, unless the test gives them a name. */
  get name(): string {
    return (this.#name ??= uncutRequestName(this.method, this.href, this.#isElsewhere));
  }
}

/** Longer headers, in characters, are unlikely to be sent twice. */
const longestKept = 2000;
/** Nothing is cached for an address that is requested once, nor for headers that differ each time. */
const firstKept = 2;
const lastKept = 18;

/**
 * The last request to an endpoint with its own headers, and nothing else. Most clients send the same headers
 * each time, which then need not be validated and formatted again.
 */
class RepeatedRequest {
  #wire: WireRequest | null = null;
  #defaults: readonly string[] | null = null;
  /** The number of names and values of the request's own headers, which come first. */
  #ownLength = 0;
  #unknown = 0;

  /** Returns the cached request if it had the same headers and defaults; otherwise null. */
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

  /** Caches a request that `get` did not find. Returns the request to send. */
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
