import { wholeRequestName } from "@bearhug/sdk/internal";

import type { RequestRow } from "../../protocol/shared-accounting.ts";
import type { Origin } from "../../net/origin.ts";
import type { WireRequest } from "../transport/transport.ts";
import { mayMissValue } from "./missing-values.ts";
import { RepeatedRequest } from "./repeated-request.ts";

export interface EndpointParts {
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

  constructor({ method, origin, href, path, headers, isElsewhere = false }: EndpointParts) {
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
