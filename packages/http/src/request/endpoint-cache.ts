import type { RequestRow, SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { ReplacedPath } from "@bearhug/plan/protocol/variants";
import { capName } from "@bearhug/text/cap-text";
import { describeValue } from "@bearhug/text/describe-value";
import { internedText } from "@bearhug/text/detached-text";
import { asMasked } from "@bearhug/text/masked-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Origin } from "../net/origin.ts";
import { inBytes, isPlainPath, longestKept, readRawAddress } from "./address.ts";
import { Endpoint } from "./endpoint.ts";
import type { AllowedHosts, MovedHosts } from "./hosts.ts";
import { invalid, RequestFault } from "./request-fault.ts";

/** The settings that the endpoints of a worker depend on. */
export interface EndpointSettings {
  readonly baseUrl: string | null;
  readonly allowedHosts: AllowedHosts;
  readonly movedHosts: MovedHosts;
  readonly accounting: SharedAccounting;
  readonly defaultHeaders: readonly string[];
  /** Paths of the site, and the paths that replace them. */
  readonly replacedPaths?: readonly ReplacedPath[];
  /** Masks secrets in the names of requests. */
  readonly mask: Mask;
}

/** The syntax of a method (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+\-.^`|~]+$/;

/** Returns a test's method as it is sent. @throws {RequestFault} if it is not a string */
export function methodOf(method: unknown): string {
  if (typeof method === "string") return isUsual(method) ? method : method.toUpperCase();
  throw invalid(`A method must be a string such as "GET", but is ${describeValue(method)}.`);
}

/** Returns true for a method that needs no normalization: comparing takes a tenth of a look-up in a Set. */
function isUsual(method: string): boolean {
  switch (method) {
    case "GET":
    case "POST":
    case "PUT":
    case "PATCH":
    case "DELETE":
    case "HEAD":
    case "OPTIONS":
      return true;
    default:
      return false;
  }
}

/** @throws {RequestFault} for a method that cannot be sent */
function validateMethod(method: string): void {
  if (!token.test(method)) throw invalid(`${JSON.stringify(method)} is not an HTTP method.`);
  if (method === "CONNECT") {
    throw invalid(
      "CONNECT opens a tunnel and is not a request: to send requests through a proxy, set http.proxy.",
    );
  }
}

/** Resolves the addresses of requests, and caches the result for each method and address. */
export class EndpointCache {
  readonly #settings: EndpointSettings;
  /** By the name that the test gives. */
  readonly #rows = new Map<string, RequestRow>();
  readonly #parsed = new RecentEndpoints();
  readonly #raw = new RecentEndpoints();
  /** By their `pool` key. */
  readonly #origins = new Map<string, Origin>();
  /** By the text that an address begins with. They are validated, and moved if the target replaces them. */
  readonly #known = new Map<string, Origin>();
  /** The origin of a plain path; null if it must be resolved each time. */
  readonly #base: Origin | null;
  /** Null without a base URL. */
  readonly #baseOrigin: string | null;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    const base = settings.baseUrl === null ? null : URL.parse(settings.baseUrl);
    this.#baseOrigin = base?.origin ?? null;
    const isUsable = base !== null && isHttp(base) && !hasCredentials(base) && this.allows(base);
    this.#base = isUsable ? this.#originOf("GET", base) : null;
  }

  /**
   * Returns the endpoint of a method and address. `isRaw`: the path is sent as written.
   * @throws {RequestFault} for an invalid address, or one whose host the test does not list.
   */
  get(method: string, address: string, isRaw = false): Endpoint {
    const recent = isRaw ? this.#raw : this.#parsed;
    const known = recent.get(method, address);
    if (known !== undefined) return known;
    validateMethod(method);
    const own = internedText(address);
    const endpoint = isRaw ? this.#createRaw(method, own) : this.#create(method, own);
    recent.add(method, own, endpoint);
    this.#settings.mask.seen.lookAtAddress(own);
    return endpoint;
  }

  /** Returns the accounting row for a request name, which reports show masked and shortened. */
  row(name: string): RequestRow {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const { accounting, mask } = this.#settings;
    const row = accounting.row(asMasked(capName(mask.hide(name))));
    if (this.#rows.size < maxKept) this.#rows.set(name, row);
    return row;
  }

  /** Returns the row of an endpoint's requests to which the test gives no name. */
  rowOf(endpoint: Endpoint): RequestRow {
    return (endpoint.row ??= this.row(endpoint.name));
  }

  allows(url: URL): boolean {
    return this.#settings.allowedHosts.has(url);
  }

  /** Returns true for a host that the test lists, or that the target replaces. */
  names(url: URL): boolean {
    return this.allows(this.move(url));
  }

  /** Moves an address to the target, if the target replaces its host. */
  move(url: URL): URL {
    return this.#settings.movedHosts.move(url);
  }

  /** Resolves and moves an address of the site; null for other text, such as the origin `null`. */
  siteAddress(text: string): URL | null {
    const url = /^(https?:\/)?\//i.test(text) ? URL.parse(text, this.#settings.baseUrl ?? undefined) : null;
    return url === null ? null : this.move(url);
  }

  #create(method: string, address: string): Endpoint {
    return this.#createPlain(method, address) ?? this.#parse(method, address);
  }

  /** Creates an endpoint without URL parsing, if possible: many addresses are requested only once. */
  #createPlain(method: string, address: string): Endpoint | null {
    const at = address.startsWith("/") ? 0 : address.indexOf("/", "https://".length);
    const origin = at === 0 ? this.#base : at > 0 ? this.#known.get(address.slice(0, at)) : null;
    if (origin === null || origin === undefined) return null;
    const path = at === 0 ? address : address.slice(at);
    return isPlainPath(path) ? this.#endpoint(method, origin, path) : null;
  }

  #parse(method: string, address: string): Endpoint {
    const given = this.#resolve(address);
    const origin = this.#originOf(method, given);
    if (address.startsWith(`${given.origin}/`)) this.#known.set(given.origin, origin);
    return this.#endpoint(method, origin, given.href.slice(given.origin.length));
  }

  #createRaw(method: string, address: string): Endpoint {
    const { origin: written, path } = readRawAddress(address);
    const origin = this.#originOf(method, this.#resolve(written === null ? "/" : `${written}/`));
    const sent = this.#replaced(origin, path);
    const { defaultHeaders: headers } = this.#settings;
    const isElsewhere = this.#isElsewhere(origin);
    const href = origin.text + sent;
    return new Endpoint({ method, origin, href, path: inBytes(sent), headers, isElsewhere });
  }

  /** `rest`: path, query and fragment; the fragment is not sent. */
  #endpoint(method: string, origin: Origin, rest: string): Endpoint {
    const sent = this.#replaced(origin, rest);
    const hash = sent.indexOf("#");
    const path = hash < 0 ? sent : sent.slice(0, hash);
    const { defaultHeaders: headers } = this.#settings;
    const isElsewhere = this.#isElsewhere(origin);
    return new Endpoint({ method, origin, href: origin.text + sent, path, headers, isElsewhere });
  }

  /** Returns true for an origin other than the base; without a base, if the test lists several hosts. */
  #isElsewhere({ text }: Origin): boolean {
    return this.#baseOrigin === null ? this.#settings.allowedHosts.isSeveral : text !== this.#baseOrigin;
  }

  #replaced(origin: Origin, rest: string): string {
    const { replacedPaths = [] } = this.#settings;
    return replacedPaths.length === 0 || origin !== this.#base ? rest : replacePath(rest, replacedPaths);
  }

  #resolve(address: string): URL {
    const { baseUrl } = this.#settings;
    const url = URL.parse(address, baseUrl ?? undefined);
    if (url === null) {
      throw invalidUrl(
        baseUrl === null
          ? `${shown(address)} is a relative URL, but the test has no baseUrl.`
          : `${shown(address)} is not a valid URL, even relative to the baseUrl ${baseUrl}.`,
      );
    }
    if (!isHttp(url)) throw invalidUrl(`${shown(address)}: only http: and https: URLs can be requested.`);
    if (hasCredentials(url)) {
      throw invalidUrl(
        `${url.origin}${url.pathname}: a URL can't contain a user or password: use auth: { username, password }.`,
      );
    }
    return url;
  }

  /** Returns the origin of an address. @throws {RequestFault} for a host that the test does not list */
  #originOf(method: string, given: URL): Origin {
    const url = this.move(given);
    if (!this.allows(url)) {
      throw new RequestFault(
        "HOST_NOT_ALLOWED",
        `${method} ${url.origin}: the test does not name this host. Make it the baseUrl, or add "${url.host}" to allowHosts.`,
      );
    }
    // Browsers have separate connections per further host of a site: kept even if the target replaces it.
    const host = this.#settings.movedHosts.standsFor(given);
    const pool = host === null ? url.origin : `${url.origin} for ${host}`;
    let origin = this.#origins.get(pool);
    if (origin === undefined) this.#origins.set(pool, (origin = newOrigin(url, pool)));
    return origin;
  }
}

function newOrigin(url: URL, pool: string): Origin {
  const isSecure = url.protocol === "https:";
  return {
    isSecure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    text: url.origin,
    pool,
  };
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

function invalidUrl(sentence: string): RequestFault {
  return new RequestFault("INVALID_URL", sentence);
}

/** Quotes an address. Masks text before an @, which may be a password even in an invalid address. */
function shown(address: string): string {
  return `"${address.replace(/^([^:/?#]*:)?([/\\]*)[^/?#]*@/, "$1$2***@")}"`;
}

/** Reports distinguish a thousand names; a test that generates more than these masks each anew. */
const maxKept = 2000;

/** The assumed memory of an address besides its characters, and the limit of each of the two generations. */
const overhead = 256;
const largestGeneration = 1_000_000;

type Generation = Map<string, Map<string, Endpoint>>;

/**
 * Endpoints by method and address. Those in use stay, however many others are used once: when a generation is
 * full, it becomes the older one, and only entries that are requested again move to the new one.
 */
class RecentEndpoints {
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

  /** Caches an endpoint, unless its address is too long. The address must be interned: see `internedText`. */
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

/**
 * Replaces the path in `rest` (path, query and fragment) if `replaced` lists it. The query is kept, unless
 * the listed path or its replacement has one.
 */
export function replacePath(rest: string, replaced: readonly ReplacedPath[]): string {
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(rest) ?? [];
  for (const { from, to } of replaced) {
    if (from === null || from === path + query) return to;
    if (from === path) return to.includes("?") ? to : to + query;
  }
  return rest;
}
