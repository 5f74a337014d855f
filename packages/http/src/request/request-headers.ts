import { requestHeaderProblem, isSingularHeader } from "@bearhug/plan/http-options/headers";
import type { BasicAuth, BearerAuth, HeaderFields } from "@bearhug/sdk";

import type { MissingValues } from "./missing-values.ts";
import { pairsOf } from "./pairs.ts";
import { invalid, RequestFault } from "./request-fault.ts";

type HeaderValue = string | readonly string[];

/** The options of a request that become headers. */
export interface GivenHeaders {
  readonly headers?: HeaderFields | undefined;
  /** Credentials that are known before the request is sent. */
  readonly auth?: BearerAuth | BasicAuth | undefined;
}

/**
 * Returns names and values in turn, as they are sent. A request's own headers replace defaults, which come
 * last.
 * @throws {RequestFault} for an invalid header, one that a test must not set, or one in which a value is missing
 */
export function requestHeaders(
  defaults: readonly string[],
  { headers = {}, auth }: GivenHeaders,
  body: { readonly contentType: string | null; readonly contentEncoding: string | null } | null,
  missingValues: MissingValues | null = null,
): string[] {
  const written: string[] = [];
  const given = new Set<string>();
  const add = (name: string, value: unknown): void => {
    const checked = checkHeader(name, value, given);
    written.push(name, checked);
  };
  const addGiven = (name: string, value: unknown): void => {
    add(name, value);
    missingValues?.refuseHeader(name, String(value));
  };
  for (const [name, value] of pairsOf<HeaderValue>(headers)) {
    if (Array.isArray(value)) for (const one of value as readonly unknown[]) addGiven(name, one);
    else addGiven(name, value);
  }
  if (body !== null) {
    const { contentType, contentEncoding } = body;
    if (contentType !== null && !given.has("content-type")) add("content-type", contentType);
    if (contentEncoding !== null) add("content-encoding", contentEncoding);
  }
  if (auth !== undefined && !given.has("authorization")) add("authorization", authorization(auth));
  for (let position = 0; position + 1 < defaults.length; position += 2) {
    const name = defaults[position] ?? "";
    if (!given.has(name.toLowerCase())) written.push(name, defaults[position + 1] ?? "");
  }
  return written;
}

/** Returns the test's values of a header. `name` is in lower case. */
export function givenValues(headers: HeaderFields | undefined, name: string): string[] {
  if (headers === undefined) return [];
  return [...pairsOf<HeaderValue>(headers)].flatMap(([given, value]) =>
    given.toLowerCase() === name ? (typeof value === "string" ? [value] : [...value]) : [],
  );
}

/** Adds the headers of a variant (names and values in turn), which replace others of the same name. */
export function withVariantHeaders(
  headers: HeaderFields | undefined,
  variantHeaders: readonly string[],
): (readonly [name: string, value: string])[] {
  const own = variantHeaders.flatMap((name, position) =>
    position % 2 === 0 ? [[name, variantHeaders[position + 1] ?? ""] as const] : [],
  );
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const kept = [...pairsOf<HeaderValue>(headers ?? {})].filter(([name]) => !names.has(name.toLowerCase()));
  return [
    ...kept.flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
    ),
    ...own,
  ];
}

/** Headers that must not follow a redirect to another origin: credentials, and the host. */
const boundToOrigin = new Set(["authorization", "proxy-authorization", "cookie", "host"]);

/** Returns the headers to send on: not credentials to another origin, nor a dropped body's headers. */
export function headersForRedirect(
  headers: HeaderFields,
  { isCrossOrigin, keepsBody }: { readonly isCrossOrigin: boolean; readonly keepsBody: boolean },
): (readonly [name: string, value: string])[] {
  const kept = [...pairsOf<HeaderValue>(headers)].filter(([name]) => {
    const lower = name.toLowerCase();
    if (isCrossOrigin && boundToOrigin.has(lower)) return false;
    return keepsBody || !lower.startsWith("content-");
  });
  return kept.flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
  );
}

/** Returns default headers (names and values in turn) without those that must not go to another origin. */
export function defaultsForOtherOrigin(defaults: readonly string[]): readonly string[] {
  return defaults.filter(
    (_text, position) => !boundToOrigin.has((defaults[position - (position % 2)] ?? "").toLowerCase()),
  );
}

/** Returns the `authorization` value. Basic: RFC 7617, in UTF-8. */
function authorization(auth: BearerAuth | BasicAuth): string {
  if ("bearer" in auth) return `Bearer ${auth.bearer}`;
  const { username, password } = auth;
  if (username.includes(":")) {
    throw new RequestFault(
      "INVALID_REQUEST",
      "auth: a username cannot contain a colon, which starts the password.",
    );
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** One expression for all that a header can carry: most values cost this alone. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/;
const control = /[^\t\x20-\x7e\x80-\u{10ffff}]/u;

/**
 * Validates a header that a test gives, and adds its name to `given`. Errors do not quote the value, which
 * may be a secret.
 * @throws {RequestFault}
 */
function checkHeader(name: string, value: unknown, given: Set<string>): string {
  if (!token.test(name)) {
    throw invalid(
      `headers: ${JSON.stringify(name)} is not a valid header name: use letters, digits and hyphens.`,
    );
  }
  if (typeof value !== "string") throw invalid(`headers: ${name} must be a string or an array of strings.`);
  if (!sendable.test(value)) {
    if (control.test(value))
      throw invalid(`headers: ${name} contains a line break or another control character.`);
    throw invalid(
      `headers: ${name} contains a character that headers can't carry (beyond Latin-1): encode it, for example with encodeURIComponent.`,
    );
  }
  const lower = name.toLowerCase();
  const reason = requestHeaderProblem(lower, value);
  if (reason !== undefined) throw invalid(`headers: ${name}: ${reason}`);
  if (isSingularHeader(lower) && given.has(lower)) throw invalid(`headers: ${name} is given more than once.`);
  given.add(lower);
  return value;
}
