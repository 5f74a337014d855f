import { capName, wholeRequestName } from "@bearhug/sdk";

import type { RequestRow, SharedAccounting } from "../../protocol/shared-accounting.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { MovedHosts } from "./moved-hosts.ts";
import type { Origin } from "../connection/origin.ts";
import type { WireRequest } from "../connection/transport.ts";
import type { Mask } from "../../secret-mask.ts";
import { judgeMethod } from "./method.ts";
import { RequestFault } from "./request-fault.ts";

/** All about a method and address that does not change from one request to the next. */
export interface Endpoint {
  readonly method: string;
  readonly url: URL;
  readonly origin: Origin;
  /** What its requests are grouped by, unless a request says otherwise. */
  readonly name: string;
  /** What a request without options of its own is sent as. */
  readonly plain: WireRequest;
}

/** What the endpoints of a worker depend on. */
export interface EndpointSettings {
  readonly baseUrl: string | null;
  readonly allowedHosts: AllowedHosts;
  readonly movedHosts: MovedHosts;
  readonly accounting: SharedAccounting;
  readonly defaultHeaders: readonly string[];
  /** Replaces secrets in names that are too long, before they are cut. */
  readonly mask: Mask;
}

/** Addresses with numbers in them can be many: beyond this they are worked out anew. */
const maxCached = 10_000;

/** Works out each method and address once. */
export class EndpointCache {
  readonly #settings: EndpointSettings;
  readonly #endpoints = new Map<string, Map<string, Endpoint>>();
  readonly #origins = new Map<string, Origin>();
  #cached = 0;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
  }

  /** @throws {RequestFault} for an address that is none, or whose host the test does not name. */
  get(method: string, address: string): Endpoint {
    let ofMethod = this.#endpoints.get(method);
    if (ofMethod === undefined) this.#endpoints.set(method, (ofMethod = new Map<string, Endpoint>()));
    const known = ofMethod.get(address);
    if (known !== undefined) return known;
    const endpoint = this.#create(method, address);
    if (this.#cached < maxCached) {
      ofMethod.set(address, endpoint);
      this.#cached++;
    }
    return endpoint;
  }

  /** The accounting's row for a request's name. */
  row(name: string): RequestRow {
    return this.#settings.accounting.row(capName(name, this.#settings.mask));
  }

  allows(url: URL): boolean {
    return this.#settings.allowedHosts.has(url);
  }

  /** Where an address leads when the target stands for its host. */
  move(url: URL): URL {
    return this.#settings.movedHosts.move(url);
  }

  #create(method: string, address: string): Endpoint {
    judgeMethod(method);
    const asked = this.#resolve(address);
    const url = this.move(asked);
    if (!this.allows(url)) {
      throw new RequestFault(
        "HOST_NOT_ALLOWED",
        `${method} ${url.origin}: the test does not name this host. Make it the baseUrl, or add "${url.host}" to allowHosts.`,
      );
    }
    const name = wholeRequestName(method, url);
    const origin = this.#origin(url, this.#settings.movedHosts.standsFor(asked));
    const plain: WireRequest = {
      method,
      origin,
      path: url.pathname + url.search,
      headers: this.#settings.defaultHeaders,
      body: null,
      isConstant: true,
    };
    return { method, url, origin, name, plain };
  }

  #resolve(address: string): URL {
    const { baseUrl } = this.#settings;
    const url = URL.parse(address, baseUrl ?? undefined);
    if (url === null) {
      throw invalidUrl(
        baseUrl === null
          ? `${shown(address)} is not a complete address, and the test has no baseUrl to complete it with.`
          : `${shown(address)} is not an address, nor is it with the baseUrl ${baseUrl} before it.`,
      );
    }
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw invalidUrl(`${shown(address)}: only http: and https: addresses can be requested.`);
    }
    if (url.username !== "" || url.password !== "") {
      throw invalidUrl(
        `${url.origin}${url.pathname}: an address can't have a user or a password in it: put them into auth: { username, password }.`,
      );
    }
    return url;
  }

  /** `host`: the further one of the site that the target stands for; browsers have connections to each. */
  #origin(url: URL, host: string | null): Origin {
    const pool = host === null ? url.origin : `${url.origin} for ${host}`;
    const known = this.#origins.get(pool);
    if (known !== undefined) return known;
    const isSecure = url.protocol === "https:";
    const created: Origin = {
      isSecure,
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
      text: url.origin,
      pool,
    };
    this.#origins.set(pool, created);
    return created;
  }
}

function invalidUrl(sentence: string): RequestFault {
  return new RequestFault("INVALID_URL", sentence);
}

/** What stands before an @ may be a password, also where it is no address for other reasons. */
function shown(address: string): string {
  return `"${address.replace(/^([^:/?#]*:)?([/\\]*)[^/?#]*@/, "$1$2***@")}"`;
}
