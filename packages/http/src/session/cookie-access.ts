import type { CookieJar, CookieOptions, RequestOptions, RequestUrl } from "@bearhug/sdk";
import { describeValue, isPlain } from "@bearhug/text/describe-value";
import type { SeenSecrets } from "@bearhug/text/seen-secrets";

import { invalid, RequestFault } from "../request/request-fault.ts";
import type { MissingValues } from "../request/missing-values.ts";
import { givenValues } from "../request/request-headers.ts";
import type { Cookies } from "./cookies.ts";

/** The cookies that `http.cookies` works on. Read at each call, because the VU's scenario decides. */
export interface JarSource {
  /** Null if cookies are off. */
  readonly cookies: Cookies | null;
  readonly seen: SeenSecrets;
  readonly missingValues: MissingValues | null;
  readonly baseUrl: string | null;
  /** Moves an address to the target, if the target replaces its host. */
  readonly move: (url: URL) => URL;
}

/** Creates `http.cookies` as one VU's scenarios see it. */
export function createCookieAccess(source: () => JarSource): CookieJar {
  const all = (url?: RequestUrl): ReadonlyMap<string, string> => {
    const { cookies, baseUrl, move } = source();
    const address = move(resolve(url, baseUrl));
    if (cookies !== null) cookies.wasRead = true;
    const values = new Map<string, string>();
    for (const { name, value } of cookies?.sentTo(address) ?? []) {
      if (!values.has(name)) values.set(name, value);
    }
    return values;
  };
  return {
    all,
    get: (name, url) => all(url).get(name) ?? null,
    set: (name, value, options = {}) => {
      setCookie(source(), name, value, options);
    },
    clear: () => source().cookies?.clear(),
  };
}

/** The cookies of jars that tests created. */
const madeJars = new WeakMap<CookieJar, Cookies>();

/** Creates a separate jar, for requests with the option `jar`. */
export function createJar(source: () => Omit<JarSource, "cookies">, cookies: Cookies): CookieJar {
  const jar = createCookieAccess(() => ({ ...source(), cookies }));
  madeJars.set(jar, cookies);
  return jar;
}

/**
 * Returns the jar of a request, also for its responses.
 * @throws {RequestFault} for cookies that cannot be sent
 */
export function cookiesOf(
  { jar, cookies, headers }: RequestOptions,
  visitors: Cookies | null,
): Cookies | null {
  if (jar !== undefined) validateJar(jar);
  const kept = jar === undefined ? visitors : (madeJars.get(jar) ?? null);
  if (cookies === undefined) return kept;
  validateCookies(cookies);
  if (givenValues(headers, "cookie").length > 0)
    throw new RequestFault(
      "INVALID_REQUEST",
      "cookies: the header cookie is given, too. Leave one of them out.",
    );
  if (kept === null)
    throw new RequestFault(
      "INVALID_REQUEST",
      'cookies: this test keeps no cookies. Send a header cookie, or remove `cookies: "off"` from its http options.',
    );
  return kept;
}

/** Validates the names and values. @throws {RequestFault} for one that a header can't carry */
function validateCookies(cookies: unknown): void {
  if (!isPlain(cookies))
    throw invalid(`cookies must be an object of names and values, but is ${describeValue(cookies)}.`);
  for (const [name, value] of Object.entries(cookies)) {
    if (typeof value !== "string")
      throw invalid(`cookies: ${JSON.stringify(name)} must be a string, but is ${describeValue(value)}.`);
    setCookieLine(name, value, {});
  }
}

/** @throws {RequestFault} for anything but a jar that `http.newJar` made */
function validateJar(jar: unknown): void {
  if (typeof jar === "object" && jar !== null && madeJars.has(jar as CookieJar)) return;
  throw invalid(`jar must be a jar of http.newJar(), but is ${describeValue(jar)}.`);
}

function setCookie(
  { cookies, seen, missingValues, baseUrl, move }: JarSource,
  name: string,
  value: string,
  options: CookieOptions,
): void {
  const line = setCookieLine(name, value, options);
  seen.lookAtCookie(line);
  missingValues?.refuseText({ place: `http.cookies: "${name}"`, name, text: value });
  const url = move(resolve(options.url, baseUrl));
  if (cookies === null) {
    throw fault(
      `"${name}" would be lost, because this test keeps no cookies: remove \`cookies: "off"\` from its http options.`,
    );
  }
  try {
    cookies.add(url, line);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw fault(`no browser would keep "${name}" of ${url.origin}: ${why}.`);
  }
}

/** The characters that a header can carry, except the separators of cookies. */
const nameText = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const valueText = /^[\x21-\x3a\x3c-\x7e]([\x20-\x3a\x3c-\x7e]*[\x21-\x3a\x3c-\x7e])?$|^$/;
const attributeText = /^[\x20-\x3a\x3c-\x7e]+$/;

function setCookieLine(
  name: string,
  value: string,
  { domain, path = "/", secure = false, maxAge }: CookieOptions,
): string {
  if (!nameText.test(name)) {
    throw fault(
      `${JSON.stringify(name)} is not a valid cookie name: use letters, digits and !#$%&'*+-.^_\`|~.`,
    );
  }
  if (!valueText.test(value)) {
    throw fault(
      `the value of "${name}" contains characters that a cookie can't carry, such as ";", a line break or "é": encode it with encodeURIComponent().`,
    );
  }
  if (domain !== undefined && !attributeText.test(domain)) {
    throw fault(`the domain ${JSON.stringify(domain)} of "${name}" is not a host name.`);
  }
  if (!path.startsWith("/") || !attributeText.test(path)) {
    throw fault(`the path ${JSON.stringify(path)} of "${name}" must begin with "/" and not contain ";".`);
  }
  if (maxAge !== undefined && !Number.isInteger(maxAge)) {
    throw fault(`the maxAge ${String(maxAge)} of "${name}" must be whole seconds.`);
  }
  return [
    `${name}=${value}`,
    `path=${path}`,
    ...(domain === undefined ? [] : [`domain=${domain}`]),
    ...(secure ? ["secure"] : []),
    ...(maxAge === undefined ? [] : [`max-age=${maxAge}`]),
  ].join("; ");
}

function resolve(given: RequestUrl | undefined, baseUrl: string | null): URL {
  if (given === undefined) {
    if (baseUrl !== null) return new URL(baseUrl);
    throw fault("the test has no baseUrl: pass a url.");
  }
  const address = typeof given === "string" ? given : given.href;
  const url = URL.parse(address, baseUrl ?? undefined);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new RequestFault("INVALID_URL", `http.cookies: "${address}" is not an http: or https: URL.`);
}

function fault(sentence: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", `http.cookies: ${sentence}`);
}
